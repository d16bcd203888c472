import styles from './select-filter.module.css'

interface SelectFilterProps {
  readonly label: string
  /** What stands there while nothing is chosen. */
  readonly any: string
  readonly value: string | undefined
  readonly options: readonly { readonly value: string; readonly name: string }[]
  onChange(value: string | undefined): void
}

/** A filter of one value out of some. What is asked for by the URL alone is an option too. */
export function SelectFilter({ label, any, value, options, onChange }: SelectFilterProps) {
  const isListed = value === undefined || options.some((option) => option.value === value)
  return (
    <select
      className={styles.select}
      aria-label={label}
      data-chosen={value !== undefined}
      value={value ?? ''}
      onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
    >
      <option value="">{any}</option>
      {!isListed && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.name}
        </option>
      ))}
    </select>
  )
}
