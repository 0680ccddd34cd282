/** Stands in for `protocol/paper.ts` in bundles for the edge that do not ask for it. */
export const paper = null;
