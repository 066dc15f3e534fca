import { useFunctions } from '#src/editor/functions/use-functions.ts'
import type { FieldModel } from '#src/editor/inspector/field-model.ts'
import { useForm } from '#src/editor/inspector/form-context.ts'
import { TextField } from '#src/editor/inspector/text-field.tsx'

/** The name of a function: typed, or one of those that the installation and the account have. */
export function FunctionField({ field: { pointer, value }, label }: { readonly field: FieldModel; readonly label: string }) {
  const { set } = useForm()
  const name = typeof value === 'string' ? value : ''
  const choices = useFunctions(name).map((one) => one.name)
  return (
    <TextField
      label={label}
      pointer={pointer}
      value={name}
      // A field that becomes another one while functions load would lose the focus.
      choices={[...new Set([name, ...choices])]}
      onCommit={(text) => set(pointer, text)}
    />
  )
}
