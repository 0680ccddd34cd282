/**
 * `fuseloop/trace`: traces as files. `traceFile(path)` writes one, `readTrace(path)` reads and checks one. Needs Node.
 */
export {};
