import { SchemaRowsField } from '#src/editor/inspector/schema-rows/schema-rows-field.tsx'
import { returnedForm } from '#src/editor/inspector/schema-rows/schema-rows.ts'
import { m } from '#src/messages/messages.ts'

/** The fields of the object that a model returns; without any, it returns a text. */
export function ReturnedFields({ pointer, label }: { readonly pointer: string; readonly label: string }) {
  const a = m.approvalStep
  const { text, required } = m.returnedFields
  return (
    <SchemaRowsField
      pointer={pointer}
      label={label}
      form={returnedForm}
      textLabel={text}
      requiredLabel={required}
      additions={[
        [a.addField, { name: 'field', text: '', kind: 'text', choices: [], required: true }],
        [a.addChoice, { name: 'choice', text: '', kind: 'choice', choices: a.newChoices, required: true }],
      ]}
    />
  )
}
