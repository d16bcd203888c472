import { ariaDescribedByIds, descriptionId, type FieldProps, getSchemaType, toErrorList } from '@rjsf/utils'
import { useState } from 'react'
import { useTexts } from '../../../language/texts.js'
import styles from './form.module.css'
import { FORM_TEXTS } from './form-texts.js'
import { readJson, writeJson } from './json-text.js'

/**
 * What a schema leaves open, written as JSON. A text that is not JSON (yet) is the value itself, so that the check of the whole
 * form refuses it where something else than text is wanted.
 */
export function JsonField(props: FieldProps) {
  const { schema, uiSchema, registry, fieldPathId, formData, errorSchema, required, disabled, readonly, onChange } =
    props
  const texts = useTexts(FORM_TEXTS)
  const [typed, setTyped] = useState('')
  const { $id: id, path } = fieldPathId
  // The value can also change from outside, as when its list is put in another order.
  const text = writeJson(readJson(typed).value) === writeJson(formData) ? typed : writeJson(formData)
  const { isBroken, place } = readJson(text)
  const isAny = getSchemaType(schema) === undefined
  const isNamed = registry.schemaUtils.getDisplayLabel(schema, uiSchema, registry.globalUiOptions)
  // Said only once the form was sent: a line that comes while one goes on to its button would move the button away.
  const isRefused = (props.rawErrors ?? []).length > 0
  const inner = toErrorList(errorSchema)
  // The root of a form stands for all arguments.
  const label = path.length === 0 ? texts.arguments : (schema.title ?? props.title ?? props.name)
  return (
    <div className={styles.json}>
      {!isNamed && (
        <label htmlFor={id}>
          {label}
          {required === true && <span className="required">*</span>} <span className={styles.kind}>JSON</span>
        </label>
      )}
      {!isNamed && path.length > 0 && schema.description !== undefined && (
        <div id={descriptionId(fieldPathId)} className="field-description">
          {schema.description}
        </div>
      )}
      <textarea
        id={id}
        value={text}
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        disabled={disabled === true || readonly === true}
        placeholder={isAny ? undefined : getSchemaType(schema) === 'array' ? '["value"]' : '{"name": "value"}'}
        aria-describedby={ariaDescribedByIds(id)}
        aria-invalid={isRefused || inner.length > 0}
        onChange={({ target }) => {
          setTyped(target.value)
          onChange(readJson(target.value).value, path)
        }}
      />
      {isAny && <p className={styles.anyJson}>{texts.anyJson}</p>}
      {isRefused && isBroken && (
        <p className={styles.broken}>
          {place === undefined ? texts.brokenJson : texts.brokenJsonAt(place.line, place.column)}
        </p>
      )}
      {inner.length > 0 && (
        <ul className="error-detail">
          {inner.map(({ property = '', message }) => (
            <li key={`${property} ${message}`}>
              <code>{property.slice(1)}</code>: {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
