import { Check, Copy, type LucideIcon } from 'lucide-react'
import { useEffect, useState } from 'react'
import { COMMON_TEXTS } from '../language/common-texts.js'
import { useTexts } from '../language/texts.js'
import styles from './controls.module.css'

interface CopyButtonProps {
  /** What is copied, or what gives it when it is wanted. */
  readonly text: string | (() => string)
  /** What it is, for screen readers; "Copy" alone where there is one thing. */
  readonly label?: string
  /** Another picture, where something else than what stands before it is copied. */
  readonly icon?: LucideIcon
}

/** How long a success is shown, in ms. */
const SHOWN_MS = 1500

/** Copies a text. */
export function CopyButton({ text, label, icon: Icon = Copy }: CopyButtonProps) {
  const texts = useTexts(COMMON_TEXTS)
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async (): Promise<void> => {
    await copyText(typeof text === 'string' ? text : text())
    setCopied(true)
  }
  const name = isCopied ? texts.copied : label === undefined ? texts.copy : `${texts.copy}: ${label}`
  return (
    <button type="button" className={styles.icon} title={name} aria-label={name} onClick={() => void copy()}>
      {isCopied ? <Check size={14} aria-hidden /> : <Icon size={14} aria-hidden />}
    </button>
  )
}

/** Browsers hand out their clipboard only to pages that came over TLS or from this machine; the old way works everywhere. */
async function copyText(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text)
  const field = document.createElement('textarea')
  field.value = text
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
}
