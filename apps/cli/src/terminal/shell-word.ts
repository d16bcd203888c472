/** A word of characters that every shell takes as they are, wherever they stand in it. */
const PLAIN_WORD = /^[\w@%+:,./-]+$/

/** A word as it is pasted into a POSIX shell: in quotes where the shell would read anything else out of it. */
export function shellWord(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
