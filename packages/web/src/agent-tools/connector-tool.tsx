import { useState } from 'react'
import { description, name, risk, riskOf, saveLabel, textOf, type ToolFormProps } from '#src/agent-tools/tool-fields.ts'
import { functionSteps, functionTexts, type ListedFunction } from '#src/editor/functions/function-steps.ts'
import { useConnectionNames, useFunctions, useManifest } from '#src/editor/functions/use-functions.ts'
import { findTemplates } from '#src/editor/picker/templates.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { PickList } from '#src/forms/pick-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Icon } from '#src/ui/icon.tsx'
import { Skeleton } from '#src/ui/skeleton.tsx'

/** A function of a connector as a tool, with the connection with which it is called. */
export function ConnectorTool({ tool, save }: ToolFormProps) {
  const called = textOf(tool, 'function')
  return tool === undefined ? (
    <NewConnectorTool save={save} />
  ) : (
    <OfFunction tool={tool} chosen={{ name: called, summary: '' }} save={save} />
  )
}

function NewConnectorTool({ save }: ToolFormProps) {
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<ListedFunction>()
  const functions = useFunctions(query)
  if (chosen !== undefined) return <OfFunction chosen={chosen} save={save} />
  const texts = functionTexts(functions)
  const connectors = new Map(functions.map((one) => [one.name, one.connector ?? undefined]))
  return (
    <PickList
      label={m.flowEditor.pick.find}
      choices={findTemplates(query, texts, functionSteps(functions)).map(({ key }) => {
        const [title, text] = texts[key] ?? [key, '']
        return { key, title, text, mark: <Icon name="plug" />, group: connectors.get(key) }
      })}
      query={query}
      onQuery={setQuery}
      onPick={(key) => setChosen(functions.find((one) => one.name === key))}
      none={m.flowEditor.pick.none}
    />
  )
}

interface OfFunctionProps extends ToolFormProps {
  readonly chosen: Pick<ListedFunction, 'name' | 'summary'>
}

/** What the tool is called and is for, at first as the function says, and the connection if the function needs one. */
function OfFunction({ tool, chosen, save }: OfFunctionProps) {
  const manifest = useManifest(chosen.name)
  const { properties, required } = Object(manifest?.input)
  const used = textOf(tool, 'connection')
  const takesConnection = 'connection' in Object(properties) || used !== ''
  const needsConnection = Array.isArray(required) && required.includes('connection')
  const names = useConnectionNames(takesConnection ? chosen.name : undefined)
  // The tool that is there can be changed although its function is gone.
  if (tool === undefined && (manifest === undefined || (takesConnection && names === undefined))) return <Skeleton rows={3} />
  const [only, ...others] = names ?? []
  return (
    <DataForm
      initial={
        tool === undefined
          ? {
              name: toolName(chosen.name),
              description: chosen.summary,
              connection: others.length === 0 ? (only ?? '') : '',
              risk: '',
            }
          : { name: textOf(tool, 'name'), description: textOf(tool, 'description'), connection: used, risk: textOf(tool, 'risk') }
      }
      before={<p className="mono b">{chosen.name}</p>}
      fields={[
        ...(takesConnection
          ? [
              {
                name: 'connection' as const,
                label: m.agents.connection,
                kind: 'select' as const,
                required: needsConnection,
                options: [...new Set(['', ...(names ?? []), used])].map((one) => [one, one] as const),
                hint: only === undefined && used === '' ? m.agents.noConnection : m.agents.connectionHint,
              },
            ]
          : []),
        name(),
        description(),
        risk(),
      ]}
      send={({ connection, risk: asked, ...values }) =>
        save({
          kind: 'connector',
          ...values,
          function: chosen.name,
          ...(connection === '' ? {} : { connection }),
          ...riskOf(asked),
        })
      }
      label={saveLabel(tool)}
    />
  )
}

/** The name of a function as a tool may be called: `slack.postMessage` is `slack-postMessage`. */
function toolName(called: string): string {
  return called.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)
}
