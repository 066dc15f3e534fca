import type { groups, JsonValue, Reply } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { fieldsOfParameters, type Parameter, valuesOfParameters } from '#src/importing/parameter-fields.ts'
import { StillNeeds } from '#src/importing/still-needs.tsx'
import { m } from '#src/messages/messages.ts'
import { useMay } from '#src/session/use-may.ts'

type Imported = Reply<(typeof groups)['templates']['import']>

interface ImportFormProps {
  readonly title: string
  readonly parameters: readonly Parameter[]
  readonly send: (body: { name?: string; parameters: Readonly<Record<string, JsonValue>> }) => Promise<Imported>
}

/** Asks for the name and the parameters, makes the draft, and opens it, or says what it still needs. */
export function ImportForm({ title, parameters, send }: ImportFormProps) {
  const i = m.importing
  const queries = useQueryClient()
  const navigate = useNavigate()
  const mayMake = useMay('workflows:write')
  const [made, setMade] = useState<Imported>()
  if (made !== undefined) return <StillNeeds workflow={made.workflow} requirements={made.requirements} />
  if (!mayMake) return <p className="i2">{m.making.notYours}</p>
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(
    parameters.map(({ name, kind, example }) => [name, kind === 'boolean' ? example === true : '']),
  )
  return (
    <DataForm
      initial={{ ...empty, 'workflow name': '' }}
      fields={[{ name: 'workflow name', label: i.name, placeholder: title, hint: i.nameHint }, ...fieldsOfParameters(parameters)]}
      send={async ({ 'workflow name': name, ...values }) => {
        const body = { parameters: valuesOfParameters(parameters, values) }
        const imported = await send(name.trim() === '' ? body : { ...body, name: name.trim() })
        await queries.invalidateQueries({ queryKey: ['workflows'] })
        if (imported.requirements.ready) await navigate({ to: `/workflows/${imported.workflow.id}` })
        else setMade(imported)
      }}
      label={i.use}
    />
  )
}
