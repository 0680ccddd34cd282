/** `fuseloop/models`: several models behind one. No network, no dependency, nothing of Node's. */
export { type FallbackModel, type FallbackOptions, fallback } from './models/fallback.ts';
export { type RoutedModel, routeBy } from './models/route-by.ts';
