import { fieldsOfSchema } from '#src/forms/schema-fields.ts'
import { useRequirements } from '#src/run-input/use-requirements.ts'
import type { StartFormProps } from '#src/starts/save-start.ts'

/**
 * The mapping that a form of starts shows first. A new start gives the part of what arrives that most workflows read, unless the workflow reads members of
 * the whole. Undefined until that is known.
 */
export function useFirstMapping(
  { workflow, trigger }: Omit<StartFormProps, 'done'>,
  part: string,
  ofWhole: readonly string[],
): string | undefined {
  const { schema, reads, isPending } = useRequirements(workflow)
  if (trigger !== undefined) return trigger.mapping ?? ''
  if (isPending) return undefined
  const names = [...reads.map(({ path }) => path.split(/[.[]/, 1)[0]), ...fieldsOfSchema(schema).map(({ name }) => name)]
  return names.some((name) => ofWhole.includes(name ?? '')) ? '' : part
}
