import {
  type ArrayFieldItemTemplateProps,
  getSchemaType,
  getTemplate,
  type IconButtonProps,
  type MultiSchemaFieldTemplateProps,
  TranslatableString,
} from '@rjsf/utils'
import { ArrowDown, ArrowUp, type LucideIcon, Plus, X } from 'lucide-react'
import { isValidElement } from 'react'
import { Button } from '../../../controls/button.js'
import styles from './form.module.css'

/** One item of a list: a line, or a group of fields, and what can be done with it. */
function ListItem({ children, buttonsProps, hasToolbar, registry, schema }: ArrayFieldItemTemplateProps) {
  const Tools = getTemplate('ArrayFieldItemButtonsTemplate', registry)
  const isGroup = ['object', 'array'].includes(String(getSchemaType(schema)))
  return (
    <div className={isGroup ? `${styles.item} ${styles.group}` : styles.item}>
      <div className={styles.itemBody}>{children}</div>
      {hasToolbar && (
        <div className={styles.itemTools}>
          <Tools {...buttonsProps} />
        </div>
      )}
    </div>
  )
}

/** A choice between schemas: the library's own leaves it without a name. */
function Union({ selector, optionSchemaField, registry }: MultiSchemaFieldTemplateProps) {
  const id = isValidElement<{ readonly id?: string }>(selector) ? selector.props.id : undefined
  return (
    <div className={styles.union}>
      <label htmlFor={id} className="visually-hidden">
        {registry.translateString(TranslatableString.Type)}
      </label>
      {selector}
      {optionSchemaField}
    </div>
  )
}

function AddButton({ id, onClick, disabled, registry }: IconButtonProps) {
  return (
    <Button id={id} className={styles.add} onClick={onClick} disabled={disabled}>
      <Plus size={14} aria-hidden />
      {registry.translateString(TranslatableString.AddButton)}
    </Button>
  )
}

function iconButton(name: TranslatableString, Icon: LucideIcon) {
  return ({ id, onClick, disabled, registry }: IconButtonProps) => {
    const title = registry.translateString(name)
    return (
      <Button
        id={id}
        kind="quiet"
        className={styles.tool}
        onClick={onClick}
        disabled={disabled}
        title={title}
        aria-label={title}
      >
        <Icon size={14} aria-hidden />
      </Button>
    )
  }
}

/** How lists and choices are drawn, and their buttons: the library's own need a font of pictures and a grid of columns. */
export const FORM_TEMPLATES = {
  ArrayFieldItemTemplate: ListItem,
  MultiSchemaFieldTemplate: Union,
  ButtonTemplates: {
    AddButton,
    MoveUpButton: iconButton(TranslatableString.MoveUpButton, ArrowUp),
    MoveDownButton: iconButton(TranslatableString.MoveDownButton, ArrowDown),
    RemoveButton: iconButton(TranslatableString.RemoveButton, X),
  },
}
