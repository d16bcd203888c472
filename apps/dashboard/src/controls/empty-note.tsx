import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './controls.module.css'

interface EmptyNoteProps {
  readonly icon: LucideIcon
  readonly title: string
  /** What to do about it. */
  readonly children?: ReactNode
}

/** Nothing is here, and that is no failure. */
export function EmptyNote({ icon: Icon, title, children }: EmptyNoteProps) {
  return (
    <div className={styles.empty}>
      <Icon size={26} strokeWidth={1.5} aria-hidden />
      <p className={styles.emptyTitle}>{title}</p>
      {children}
    </div>
  )
}
