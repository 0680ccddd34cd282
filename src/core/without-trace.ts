/** Takes stack traces out of a text. Pure. */

/** In code units: what is behind is dropped, so that the patterns below have little to look at. */
const longest = 4_000;

/**
 * The words of a message without the frames of a stack: those of JavaScript, Java, .NET, Python and Go, on lines of their
 * own, behind one another on one line, or with `\n` written out, as in JSON.
 */
export function withoutTrace(message: string): string {
  if (!mayHoldTrace(message)) return message;
  const kept: string[] = [];
  let inPython = false;
  for (const line of message.slice(0, longest).split(/\r?\n|\\r\\n|\\n/)) {
    const isFrame = frame.test(line.slice(0, 400));
    // Under a frame, Python shows the line of the source, indented further.
    const isSource: boolean = inPython && /^ {4}/.test(line);
    inPython = isSource || /^ {0,8}File "/.test(line);
    if (!isFrame && !isSource) kept.push(line);
  }
  return kept.join('\n').replaceAll(inline, '').trim();
}

function mayHoldTrace(message: string): boolean {
  const head = message.slice(0, longest);
  return (
    head.includes('at ') ||
    head.includes('File "') ||
    head.includes('Traceback') ||
    head.includes('goroutine ') ||
    head.includes('.go:')
  );
}

/** A whole line. Quantifiers are bounded. */
const frame = new RegExp(
  [
    String.raw`^\s{1,20}at \S`, // JavaScript, Java, .NET
    String.raw`^at .{1,300}[:(]\d{1,9}(?::\d{1,9})?\)?$`,
    String.raw`^\s{0,20}\.\.\. \d{1,6} (?:more|common frames omitted)`,
    String.raw`^\s{0,20}(?:\+ Exception Group )?Traceback \(most recent call last\):`,
    String.raw`^\s{0,20}File "[^"]{1,300}", line \d{1,9}`,
    String.raw`^goroutine \d{1,9} \[`,
    String.raw`^\s{1,20}\S{1,300}\.go:\d{1,9}`,
    String.raw`^ {2,40}[\^~]{1,200}$`, // Python marks the place
  ].join('|'),
);

/** Frames of JavaScript that stand in a line with other words. */
const inline =
  / {0,8}\bat (?:async )?(?:(?:new )?[^\s()]{1,80} )?(?:\[as [^\]\n]{1,60}\] )?\((?:[^()\n]{1,200}:\d{1,7}:\d{1,7}|<anonymous>|native)\)| {0,8}\bat (?:async )?(?:file:|node:|\/|[A-Z]:[\\/])[^\s()]{1,200}:\d{1,7}:\d{1,7}/g;
