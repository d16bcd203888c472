import stringWidth from 'string-width'

/** Pads a text to a width in columns of the terminal: a Korean or Chinese character takes two. */
export function padColumns(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - stringWidth(text)))
}

/** Lays rows out in columns as wide as their widest cell; the first row is the heading. */
export function layOutTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, stringWidth(cell))
  }
  return rows.map((row) =>
    row
      .map((cell, column) => padColumns(cell, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
