import { m } from '#src/messages/messages.ts'
import { AccountTool, HttpTool, McpTool, WorkflowTool } from '#src/agent-tools/tool-forms.tsx'
import { ConnectorTool } from '#src/agent-tools/connector-tool.tsx'
import type { Tool } from '#src/agent-tools/tool.ts'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge } from '#src/ui/badge.tsx'
import { Button, IconButton } from '#src/ui/button.tsx'
import { Icon } from '#src/ui/icon.tsx'

const icons = { workflow: 'flow', http: 'ext', mcp: 'plug', connector: 'plug', account: 'list' } as const

/** A tool as a list shows it. */
export interface ListedTool {
  readonly name: string
  readonly kind: Tool['kind']
  readonly summary: string
  readonly risk: Tool['risk']
}

interface ToolListProps {
  readonly tools: readonly ListedTool[]
  readonly add: (tool: Tool) => Promise<void>
  readonly remove: (name: string) => void
}

/** The tools of an agent, and a button for each kind that can be added. */
export function ToolList({ tools, add, remove }: ToolListProps) {
  const a = m.agents
  const { open, sheet } = useSheet()
  const addAnd = (close: () => void) => (tool: Tool) => add(tool).then(close)
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
            <IconButton icon="x" size="sm" label={`${m.common.remove}: ${tool.name}`} onClick={() => remove(tool.name)} />
          </li>
        ))}
      </ul>
      <div className="row wrap">
        <Button icon="flow" size="sm" onClick={() => open(a.addWorkflow, (close) => <WorkflowTool add={addAnd(close)} />)}>
          {a.addWorkflow}
        </Button>
        <Button icon="ext" size="sm" onClick={() => open(a.addHttp, (close) => <HttpTool add={addAnd(close)} />)}>
          {a.addHttp}
        </Button>
        <Button icon="plug" size="sm" onClick={() => open(a.addConnector, (close) => <ConnectorTool add={addAnd(close)} />)}>
          {a.addConnector}
        </Button>
        <Button icon="plug" size="sm" onClick={() => open(a.addMcp, (close) => <McpTool add={addAnd(close)} />)}>
          {a.addMcp}
        </Button>
        <Button icon="list" size="sm" onClick={() => open(a.addAccount, (close) => <AccountTool add={addAnd(close)} />)}>
          {a.addAccount}
        </Button>
      </div>
      {sheet}
    </>
  )
}
