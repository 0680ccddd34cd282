/**
 * The compiler, over a program that comes in on the standard input. Time is that of the processor, so that a busy machine
 * does not look like slow types; instantiations are all that the program needs, the library's and zod's with it.
 */
import ts from 'typescript';
import type { SetupSeen } from './facts.ts';
import { root } from './root.ts';

const programName = `${root}case-program.ts`;

function check(text: string): Partial<SetupSeen> {
  const options = optionsOf();
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile } = host;
  host.fileExists = (name) => name === programName || fileExists(name);
  host.readFile = (name) => (name === programName ? text : readFile(name));
  const program = ts.createProgram([programName], options, host);
  const source = program.getSourceFile(programName);
  const startUs = process.cpuUsage();
  const diagnostics = [...program.getOptionsDiagnostics(), ...program.getSemanticDiagnostics(source)];
  const { user, system } = process.cpuUsage(startUs);
  diagnostics.push(...program.getSyntacticDiagnostics(source));
  return {
    compileErrors: diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' ')),
    instantiations: program.getInstantiationCount(),
    typecheckMs: Math.round((user + system) / 1_000),
  };
}

/** Those of the project itself: strict, and with the paths by which a user knows the library. */
function optionsOf(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  return { ...options, noEmit: true };
}

let text = '';
for await (const part of process.stdin) text += String(part);
console.log(JSON.stringify(check(text)));
