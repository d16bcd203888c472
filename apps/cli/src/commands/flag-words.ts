/** Flags by the long names of their options, without the dashes. */
type GivenFlags = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The words that give these flags once more, for a command to paste; several values of one are separated by commas. */
export function flagWords(flags: GivenFlags): readonly string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return []
    return value === true ? [`--${name}`] : [`--${name}`, String(value)]
  })
}
