/** Stands in for `protocol/id.ts` in bundles for the edge that do not ask for it. */
export const id = null;
