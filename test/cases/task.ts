/** What every run of a case is asked to do. A case is about how, never about what. */
export const task = 'Do the task.';
