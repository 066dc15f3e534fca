import type { groups, Sent } from '@millrace/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { ModelState } from '#src/models/model-state.tsx'
import { changedTool } from '#src/agent-tools/changed-tool.ts'
import type { Tool } from '#src/agent-tools/tool.ts'
import { type ListedTool, ToolList } from '#src/agent-tools/tool-list.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'

type Run = Sent<(typeof groups)['agent']['run']>['body']
const policies = ['risky', 'always', 'never'] as const

/** A run of an agent: its goal, the tools that it may use and no others, its limits, and when a person is asked. */
export function Page() {
  const a = m.agents
  const navigate = useNavigate()
  const [tools, setTools] = useState<readonly Tool[]>([])
  return (
    <Shell title={a.create} lede={a.createLede} wide>
      <ModelState />
      <DataForm
        layout={(form) => (
          <div className="agent-cols">
            <section className="panel acard">{form}</section>
            <section className="panel acard agent-tools">
              <h2 className="t16 bb">{a.tools}</h2>
              <ToolList
                tools={tools.map(listed)}
                save={async (made, changed) =>
                  setTools((before) =>
                    changed === undefined
                      ? [...before, made]
                      : before.map((tool) => (tool.name === changed.name ? changedTool(changed.given, made) : tool)),
                  )
                }
                remove={(name) => setTools((before) => before.filter((one) => one.name !== name))}
              />
            </section>
          </div>
        )}
        initial={{ goal: '', data: '', quality: 'strong', policy: 'risky', steps: '10', tokens: '200000', duration: 'PT1H' }}
        fields={[
          { name: 'goal', label: a.goal, kind: 'textarea', rows: 4, required: true, hint: a.goalHint },
          { name: 'data', label: a.data, kind: 'code', rows: 4, hint: a.dataHint },
          { name: 'policy', label: a.policy, kind: 'select', options: policies.map((policy) => [policy, a.policies[policy]]) },
          {
            name: 'quality',
            label: m.making.quality,
            kind: 'select',
            options: [
              ['strong', m.making.strong],
              ['fast', m.making.fast],
            ],
          },
          { name: 'steps', label: a.turns, kind: 'number', required: true, hint: a.stepsHint },
          { name: 'tokens', label: a.tokensMax, kind: 'number', required: true },
          { name: 'duration', label: a.duration, required: true, hint: m.starting.everyHint },
        ]}
        send={async (values) => {
          const { id } = await api.agent.run({ body: bodyOf(values, tools) })
          await navigate({ to: `/agents/${id}` })
        }}
        label={a.run}
      />
    </Shell>
  )
}

function listed(tool: Tool): ListedTool {
  const { name, kind, risk } = tool
  return { name, kind, risk, summary: summaryOf(tool), given: tool }
}

function summaryOf(tool: Tool): string {
  if (tool.kind === 'mcp') return tool.url
  if (tool.kind === 'account') return tool.operations.map((operation) => m.agents.operations[operation]).join(', ')
  return tool.description
}

interface Values {
  readonly goal: string
  readonly data: string
  readonly quality: string
  readonly policy: string
  readonly steps: string
  readonly tokens: string
  readonly duration: string
}

function bodyOf({ goal, data, quality, policy, steps, tokens, duration }: Values, tools: readonly Tool[]): Run {
  return {
    goal,
    ...(data.trim() === '' ? {} : { data: readJson(data, m.editor.notJson) }),
    tools: [...tools],
    quality: quality === 'fast' ? 'fast' : 'strong',
    limits: { steps: Number(steps), tokens: Number(tokens), duration },
    approval: { policy: policies.find((one) => one === policy) ?? 'risky' },
  }
}
