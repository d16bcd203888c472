import type { ButtonHTMLAttributes } from 'react'
import styles from './controls.module.css'

/** How much a button asks for attention. */
export type ButtonKind = 'plain' | 'primary' | 'danger' | 'quiet'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: ButtonKind
  /** Its work is under way: it cannot be pressed, and says so. */
  readonly isBusy?: boolean
}

/** A button. */
export function Button({ kind = 'plain', isBusy = false, type = 'button', className, ...rest }: ButtonProps) {
  const names = [styles.button, styles[kind], className].filter(Boolean).join(' ')
  return (
    <button {...rest} type={type} className={names} disabled={rest.disabled === true || isBusy} aria-busy={isBusy} />
  )
}
