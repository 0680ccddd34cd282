/** The other side of `supervise.ts`: what a process does that is supervised. */

export const supervisedVariable = 'FUSELOOP_SUPERVISED';

/** In the process that is supervised: without its supervisor it ends in good order, and the run can be gone on with. */
export function endWithSupervisor(): void {
  const { channel } = process;
  if (channel === undefined || process.env[supervisedVariable] === undefined) return;
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  channel.unref();
}
