import type { NamedTool } from '@millrace/contract/tool-names'
import { isEditable } from '#src/agent-tools/changed-tool.ts'
import { ConnectorTool } from '#src/agent-tools/connector-tool.tsx'
import { nameProblem } from '#src/agent-tools/tool-fields.ts'
import { AccountTool, HttpTool, McpTool, WorkflowTool } from '#src/agent-tools/tool-forms.tsx'
import type { GivenTool, Tool } from '#src/agent-tools/tool.ts'
import { FieldProblems } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

const icons = { workflow: 'flow', http: 'ext', connector: 'plug', mcp: 'plug', account: 'list' } as const
const kinds = ['workflow', 'http', 'connector', 'mcp', 'account'] as const satisfies readonly Tool['kind'][]
const forms = { workflow: WorkflowTool, http: HttpTool, connector: ConnectorTool, mcp: McpTool, account: AccountTool }

/** A tool as a list shows it. */
export interface ListedTool {
  readonly name: string
  readonly kind: Tool['kind']
  readonly summary: string
  readonly risk: Tool['risk']
  readonly given: GivenTool
}

interface ToolListProps {
  readonly tools: readonly ListedTool[]
  /** Adds what a form made, or puts it in the place of a tool. */
  readonly save: (made: Tool, before: ListedTool | undefined) => Promise<void>
  readonly remove: (name: string) => void
}

/** The tools of an agent, each with a form that changes it, and a button for each kind that can be added. */
export function ToolList({ tools, save, remove }: ToolListProps) {
  const a = m.agents
  const { open, sheet } = useSheet()
  const edit = (kind: Tool['kind'], before?: ListedTool) => {
    const Form = forms[kind]
    const others = tools.filter((one) => one !== before).map(named)
    open(before === undefined ? a.add[kind] : a.changeTool(before.name), (close) => (
      <Form
        {...(before === undefined ? {} : { tool: before.given })}
        save={async (typed) => {
          const made = { ...typed, name: typed.name.trim() }
          const problem = nameProblem(made, others)
          if (problem !== undefined) throw new FieldProblems({ name: problem })
          await save(made, before)
          close()
        }}
      />
    ))
  }
  return (
    <>
      {tools.length === 0 && <p className="t13 i2">{a.noTools}</p>}
      <ul className="needs-list">
        {tools.map((tool) => (
          <li key={tool.name} className="row wrap">
            <Icon name={icons[tool.kind]} label={a.toolKinds[tool.kind]} />
            <bdi className="mono b">{tool.name}</bdi>
            <span className="grow i2">{tool.summary}</span>
            {tool.risk !== undefined && <Badge tone={tool.risk === 'ask' ? 'wait' : 'off'}>{a.risks[tool.risk]}</Badge>}
            {isEditable(tool.given) && (
              <IconButton icon="edit" size="sm" label={`${m.common.edit}: ${tool.name}`} onClick={() => edit(tool.kind, tool)} />
            )}
            <IconButton icon="x" size="sm" label={`${m.common.remove}: ${tool.name}`} onClick={() => remove(tool.name)} />
          </li>
        ))}
      </ul>
      <div className="row wrap">
        {kinds.map((kind) => (
          <Button key={kind} icon={icons[kind]} size="sm" onClick={() => edit(kind)}>
            {a.add[kind]}
          </Button>
        ))}
      </div>
      {sheet}
    </>
  )
}

/** What the names follow from by which a model calls a tool. */
function named({ kind, name, given }: ListedTool): NamedTool {
  const texts = (value: unknown) => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
  if (kind === 'mcp') return { kind, name, tools: texts(given['tools']) }
  return kind === 'account' ? { kind, name, operations: texts(given['operations']) } : { kind, name }
}
