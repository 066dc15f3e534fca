import { useState } from 'react'
import { functionSteps, functionTexts } from '#src/editor/functions/function-steps.ts'
import { useFunctions } from '#src/editor/functions/use-functions.ts'
import { findTemplates, type StepTemplate, stepTemplates } from '#src/editor/picker/templates.ts'
import { PickList } from '#src/forms/pick-list.tsx'
import { m } from '#src/messages/messages.ts'
import { Dialog } from '#src/ui/dialog.tsx'
import { KindIcon } from '#src/ui/icon.tsx'

const own: ReadonlySet<string> = new Set(stepTemplates.map(({ key }) => key))

interface PickerProps {
  readonly onPick: (template: StepTemplate) => void
  readonly onClose: () => void
}

/** Chooses the kind of a step: by words, by the arrow keys, or by a click. */
export function StepPicker({ onPick, onClose }: PickerProps) {
  const [query, setQuery] = useState('')
  const functions = useFunctions(query)
  // A function that has a step of its own keeps the words of the step, which are translated.
  const texts = { ...functionTexts(functions), ...m.steps }
  // Steps of the language stay first, also while functions load.
  const others = functionSteps(functions).filter(({ key }) => !own.has(key))
  const found = [...findTemplates(query, m.steps), ...findTemplates(query, texts, others)]
  const choices = found.map(({ key, group, glyph }) => {
    const [title, text] = texts[key] ?? [key, '']
    return { key, title, text, mark: <KindIcon kind={glyph} />, group: query === '' ? m.flowEditor.groups[group] : undefined }
  })
  const pick = (key: string) => {
    const template = found.find((one) => one.key === key)
    if (template !== undefined) onPick(template)
  }
  return (
    <Dialog title={m.flowEditor.pick.title} onClose={onClose}>
      <PickList
        label={m.flowEditor.pick.find}
        choices={choices}
        query={query}
        onQuery={setQuery}
        onPick={pick}
        none={m.flowEditor.pick.none}
      />
    </Dialog>
  )
}
