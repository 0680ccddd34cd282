/** The two charts of the machine: the same states and ways, placed for a screen and for a phone. Pure. */
import type { Chart } from './chart.ts';
import { tallChart } from './layout-tall.ts';
import { wideChart } from './layout-wide.ts';

export const charts: { readonly wide: Chart; readonly tall: Chart } = { wide: wideChart, tall: tallChart };
