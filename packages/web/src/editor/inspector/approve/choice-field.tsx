import type { Json } from '@millrace/dsl'
import { jsonAt } from '#src/document/task-json.ts'
import { scalarOf, scalarText } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { StepField } from '#src/editor/inspector/step-field.tsx'
import { TextField } from '#src/editor/inspector/text-field.tsx'

interface ChoiceFieldProps {
  readonly name: string
  readonly label: string
  readonly pointer: string
  /** What applies while nothing is written. */
  readonly byDefault: Json
  readonly options: readonly (readonly [value: Json, words: string])[]
  readonly hint?: string
}

/** One of several values in words; any other value, such as an expression, is a text. */
export function ChoiceField({ name, label, pointer, byDefault, options, hint }: ChoiceFieldProps) {
  const { json, set, unset } = useForm()
  const value = jsonAt(json, pointer)
  const now = value ?? byDefault
  const isListed = options.some(([option]) => option === now)
  return (
    <StepField name={name} label={label} pointer={pointer} hint={hint}>
      {isListed ? (
        <select
          className="input"
          aria-label={label}
          value={JSON.stringify(now)}
          onChange={({ target }) => {
            const [next] = options.find(([option]) => JSON.stringify(option) === target.value) ?? [byDefault]
            if (next === byDefault) unset(pointer)
            else set(pointer, next)
          }}
        >
          {options.map(([option, words]) => (
            <option key={JSON.stringify(option)} value={JSON.stringify(option)}>
              {words}
            </option>
          ))}
        </select>
      ) : (
        <TextField
          label={label}
          pointer={pointer}
          value={scalarText(value)}
          onCommit={(text) => {
            if (text.trim() === '') unset(pointer)
            else set(pointer, scalarOf(text))
          }}
        />
      )}
    </StepField>
  )
}
