import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { description, name, risk, riskOf, type ToolFormProps } from '#src/agent-tools/tool-fields.ts'
import type { ListedFunction } from '#src/editor/functions/function-steps.ts'
import { useFunctions } from '#src/editor/functions/use-functions.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { PickList } from '#src/forms/pick-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

const listedMax = 100

/** A function of a connector as a tool, with the connection with which it is called. */
export function ConnectorTool({ add }: ToolFormProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<ListedFunction>()
  const found = useFunctions(query).filter(({ connector }) => connector !== null)
  if (chosen !== undefined) return <OfFunction chosen={chosen} add={add} />
  const words = query.toLowerCase().split(/\s+/)
  const fitting = found.filter(({ name: called, summary }) => words.every((word) => `${called} ${summary}`.toLowerCase().includes(word)))
  return (
    <PickList
      label={m.flowEditor.pick.find}
      choices={fitting.slice(0, listedMax).map((one) => ({
        key: one.name,
        title: one.name,
        text: one.summary,
        mark: <Icon name="plug" />,
        group: one.connector ?? undefined,
      }))}
      query={query}
      onQuery={setQuery}
      onPick={(key) => setChosen(fitting.find((one) => one.name === key))}
      none={m.flowEditor.pick.none}
    />
  )
}

/** What the tool is called and is for, as the function says, and the connection if the function needs one. */
function OfFunction({ chosen, add }: ToolFormProps & { readonly chosen: ListedFunction }) {
  const manifest = useQuery({
    queryKey: ['functions', 'one', chosen.name],
    queryFn: () => api.functions.get({ params: { name: chosen.name } }),
  })
  const { properties, required } = Object(manifest.data?.input)
  const takesConnection = 'connection' in Object(properties)
  const needsConnection = Array.isArray(required) && required.includes('connection')
  const connections = useQuery({
    queryKey: ['connections', 'names'],
    enabled: takesConnection,
    queryFn: () => api.connections.list({ query: { limit: 100 } }),
  })
  if (manifest.data === undefined || (takesConnection && connections.data === undefined)) return <Skeleton rows={3} />
  const names = connections.data?.data.map((one) => [one.name, one.name] as const) ?? []
  return (
    <DataForm
      initial={{
        name: toolName(chosen.name),
        description: chosen.summary,
        connection: names.length === 1 ? (names[0]?.[0] ?? '') : '',
        risk: '',
      }}
      before={<p className="mono b">{chosen.name}</p>}
      fields={[
        ...(takesConnection
          ? [
              {
                name: 'connection' as const,
                label: m.agents.connection,
                kind: 'select' as const,
                required: needsConnection,
                options: [['', ''] as const, ...names],
                hint: names.length === 0 ? m.agents.noConnection : m.agents.connectionHint,
              },
            ]
          : []),
        name(),
        description(),
        risk(),
      ]}
      send={async ({ connection, ...values }) => {
        await add({
          kind: 'connector',
          name: values.name,
          description: values.description,
          function: chosen.name,
          ...(connection === '' ? {} : { connection }),
          ...riskOf(values.risk),
        })
      }}
      label={m.starts.add}
    />
  )
}

/** The name of a function as a tool may be called: `slack.postMessage` is `slack-postMessage`. */
function toolName(called: string): string {
  return called.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)
}
