export const runsMark: string;
export function buildPage(): Promise<string>;
export function writePage(file?: string): Promise<void>;
