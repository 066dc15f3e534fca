import type { StepCommands } from '#src/editor/step-commands.ts'
import type { DrawnEntry } from '#src/flow/drawing.ts'
import { m } from '#src/messages/messages.ts'
import { Menu } from '#src/ui/menu.tsx'

/** What can be done with the selected step. */
export function StepMenu({
  entry,
  commands,
  onText,
}: {
  readonly entry: DrawnEntry
  readonly commands: StepCommands
  readonly onText: () => void
}) {
  const e = m.flowEditor
  const off = entry.badges.includes('disabled')
  return (
    <Menu
      label={e.actions}
      items={[
        { label: e.duplicate, icon: 'copy', act: () => commands.duplicate(entry) },
        { label: e.up, act: () => commands.shift(entry, -1) },
        { label: e.down, act: () => commands.shift(entry, 1) },
        { label: e.wrapTry, icon: 'shield', act: () => commands.wrap(entry, 'try') },
        { label: e.wrapFor, icon: 'retry', act: () => commands.wrap(entry, 'for') },
        { label: e.wrapDo, icon: 'list', act: () => commands.wrap(entry, 'do') },
        { label: e.wrapFork, act: () => commands.wrap(entry, 'fork') },
        ...(entry.blocks.length === 0 ? [] : [{ label: e.unwrap, act: () => commands.unwrap(entry) }]),
        { label: off ? e.enable : e.disable, act: () => commands.disable(entry, !off) },
        { label: e.showText, icon: 'text', act: onText },
        { label: e.remove, icon: 'x', danger: true, act: () => commands.remove(entry) },
      ]}
    />
  )
}
