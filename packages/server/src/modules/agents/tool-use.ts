import { membersOf } from '@millrace/engine'
import { offeredTools } from './choose-calls.ts'
import { notPermitted } from './compile-agent.ts'
import type { RunInput, RunMessage, RunState, ToolUse } from './model.ts'

const none: ToolUse = { calls: 0, failed: 0, refused: 0, approved: 0, rejected: 0 }
/** Of names that a model made up, and that no tool has. */
const unknownName = '(unknown)'

/** What a run has called so far, by the name of the tool. */
export function toolUseOf(run: RunInput, state: RunState): Readonly<Record<string, ToolUse>> {
  const asks = new Map(offeredTools(run, state).map(({ name, tool }) => [name, tool.ask]))
  const use = new Map<string, ToolUse>()
  for (const message of state.messages ?? []) {
    if (message.role === 'assistant') continue
    const name = asks.has(message.name) ? message.name : unknownName
    use.set(name, added(use.get(name) ?? none, message, asks.get(name) === true))
  }
  return Object.fromEntries(use)
}

function added(use: ToolUse, { ok, content }: Extract<RunMessage, { readonly role: 'tool' }>, ask: boolean): ToolUse {
  const { refused, title, status } = membersOf(content)
  if (!ok && refused !== undefined) return { ...use, refused: use.refused + 1 }
  if (!ok && title === notPermitted && status === undefined) return { ...use, rejected: use.rejected + 1 }
  return { ...use, calls: use.calls + 1, failed: use.failed + (ok ? 0 : 1), approved: use.approved + (ask ? 1 : 0) }
}
