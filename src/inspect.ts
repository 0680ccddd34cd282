/** `fuseloop/inspect`: a page that shows runs live and afterwards, and what the inspectors of XState read. Needs Node. */
export {};
