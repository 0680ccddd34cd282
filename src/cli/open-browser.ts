/** Opens an address in the browser of whoever sits at this machine. */
import { spawn } from 'node:child_process';

/** Calls back with what went wrong, if it cannot. Nothing waits for the browser. */
export function openBrowser(url: string, failed: (why: string) => void): void {
  const [command, ...words] = commandFor(process.platform);
  const child = spawn(command, [...words, url], { detached: true, stdio: 'ignore' });
  child.once('error', (error) => failed(error.message));
  child.once('exit', (code) => {
    if (code !== 0 && code !== null) failed(`${command} ended with code ${code}`);
  });
  child.unref();
}

/** None of them goes through a shell: the address is one word. */
function commandFor(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}
