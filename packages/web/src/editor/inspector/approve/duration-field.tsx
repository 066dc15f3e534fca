import { useState } from 'react'
import { jsonAt } from '#src/document/task-json.ts'
import { type DurationUnit, durationUnits, isoDuration, plainDuration } from '#src/flow/plain-duration.ts'
import { scalarText } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { TextField } from '#src/editor/inspector/text-field.tsx'
import { useTyped } from '#src/editor/inspector/use-typed.ts'
import { m } from '#src/messages/messages.ts'
import { Button } from '#src/ui/button.tsx'

interface DurationFieldProps {
  readonly name: string
  readonly label: string
  readonly pointer: string
  readonly required?: boolean
  readonly hint?: string
}

/** A duration as a number and a unit; one of several parts, or an expression, as a text. */
export function DurationField({ name, label, pointer, required = false, hint }: DurationFieldProps) {
  const a = m.approvalStep
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const isPlain = value === undefined || value === '' || (typeof value === 'string' && plainDuration(value) !== undefined)
  // A text that becomes a plain duration while it is typed stays a text.
  const [isText, setText] = useState(!isPlain)
  const shownAsText = isText || !isPlain
  const clear = () => {
    if (required) set(pointer, '')
    else unset(pointer)
  }
  return (
    <StepField
      name={name}
      label={label}
      pointer={pointer}
      required={required}
      hint={shownAsText ? a.durationText : hint}
      actions={
        isPlain && (
          <Button size="sm" look="quiet" onClick={() => setText(!isText)}>
            {isText ? a.asNumber : m.flowEditor.fields.as.text}
          </Button>
        )
      }
    >
      {shownAsText ? (
        <TextField
          label={label}
          pointer={pointer}
          value={scalarText(value)}
          onCommit={(text) => {
            if (text.trim() === '') clear()
            else set(pointer, text.trim())
          }}
        />
      ) : (
        <NumberAndUnit
          label={label}
          text={typeof value === 'string' ? value : ''}
          onChange={(next) => {
            if (next === undefined) clear()
            else set(pointer, next)
          }}
        />
      )}
    </StepField>
  )
}

function NumberAndUnit({
  label,
  text,
  onChange,
}: {
  readonly label: string
  readonly text: string
  readonly onChange: (duration: string | undefined) => void
}) {
  const a = m.approvalStep
  const now = plainDuration(text)
  const [unit, setUnit] = useState<DurationUnit>('D')
  const shownUnit = now?.unit ?? unit
  const {
    text: typed,
    change,
    leave,
  } = useTyped(now === undefined ? '' : String(now.count), (count) => {
    if (count.trim() === '') onChange(undefined)
    else if (isCount(count)) onChange(isoDuration({ count: Number(count), unit: shownUnit }))
  })
  const isWrong = typed.trim() !== '' && !isCount(typed)
  return (
    <>
      <div className="row duration-row">
        <input
          className={isWrong ? 'input bad' : 'input'}
          inputMode="numeric"
          autoComplete="off"
          aria-label={`${label}: ${a.count}`}
          aria-invalid={isWrong || undefined}
          placeholder={a.noLimit}
          value={typed}
          onChange={({ target }) => change(target.value)}
          onBlur={leave}
        />
        <select
          className="input"
          aria-label={`${label}: ${a.unit}`}
          value={shownUnit}
          onChange={({ target }) => {
            const next = durationUnits.find((one) => one === target.value) ?? 'D'
            setUnit(next)
            if (now !== undefined) onChange(isoDuration({ count: now.count, unit: next }))
          }}
        >
          {durationUnits.map((one) => (
            <option key={one} value={one}>
              {(typed.trim() === '1' ? a.unit1 : a.units)[one]}
            </option>
          ))}
        </select>
      </div>
      {isWrong && (
        <p className="t12 c-bad" role="alert">
          {a.notCount}
        </p>
      )}
    </>
  )
}

const isCount = (text: string) => /^[1-9]\d{0,3}$/.test(text.trim())
