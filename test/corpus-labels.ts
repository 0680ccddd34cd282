/**
 * The labels of the recorded replies that we hold wrong, by the id of the reply: what the label says, and why the reader
 * says otherwise. The core of the corpus is read as labelled but for these; `corpus-scores.test.ts` holds it to that, in
 * both directions, so that the list can only shrink.
 */
const severalCalls =
  'Several calls in brackets stand on one line. The label takes all of them for the input of the first; of several actions the first counts, and the rest is dropped.';
const tagsInAnyCase =
  'The answer stands in a tag whose name begins with a capital. The environment of the recording knew its tags in small letters alone; tags are read in any case.';

export const wrongLabels: Readonly<Record<string, string>> = {
  'o-028ea10ddc': severalCalls,
  'o-10d78b1a0e': severalCalls,
  'o-3a8296b916': severalCalls,
  'o-4bb8663c64': severalCalls,
  'o-506fb313d9': severalCalls,
  'o-5e1eccb69f': severalCalls,
  'o-5f3e3c6d37': severalCalls,
  'o-ae0e9c2b3c': severalCalls,
  'o-b2c7cd28f9': severalCalls,
  'o-c94819ea5f': severalCalls,
  'o-d926c4f3fb': severalCalls,
  'o-ea26171e1d': severalCalls,
  'o-4e22c0406d':
    'The input is an object in a call of some other name than the tool. The label is the object alone; such a text may as well be code that the tool is to run, so it stays as written.',
  'o-92d8f3963b':
    'A thought and an answer stand behind labels, without any tag. The environment of the recording knew tags alone; the labels of another dialect are read too.',
  'o-d618f1f233': tagsInAnyCase,
  'o-f70c1554e3': tagsInAnyCase,
};
