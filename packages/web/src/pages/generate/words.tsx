import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { forgetUnsaved, KeptTyping, withUnsaved } from '#src/forms/unsaved.tsx'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import { ModelState } from '#src/models/model-state.tsx'
import { GeneratedDraft, type Generated } from '#src/pages/generate/generated-draft.tsx'
import { Questions } from '#src/pages/generate/questions.tsx'
import { StartEmpty } from '#src/pages/home/start-empty.tsx'
import { Page as Shell } from '#src/patterns/page.tsx'
import { useSession } from '#src/session/session.ts'
import { ButtonLink } from '#src/ui/button-link.tsx'

interface Asked extends Values {
  readonly description: string
  readonly sample: string
  readonly quality: 'fast' | 'strong'
}

const blank: Asked = { description: '', sample: '', quality: 'strong' }

/**
 * A workflow from a description: a model drafts it, the validator checks it, and nothing is saved before the person does. What was typed stays in this
 * tab until then, also while a model is added.
 */
export function Page() {
  const w = m.making
  const kept = `words.${useSession(({ me }) => me?.id)}`
  const [asked, setAsked] = useState<Asked>(() => withUnsaved(kept, blank))
  const [generated, setGenerated] = useState<Generated>()
  const generate = async (next: Asked, definition?: string) => {
    const sample = next.sample.trim() === '' ? {} : { sample: readJson(next.sample, m.editor.notJson) }
    const from = definition === undefined ? {} : { definition }
    setGenerated(await api.ai.generateWorkflow({ body: { description: next.description, quality: next.quality, ...sample, ...from } }))
    setAsked(next)
  }
  const answer = (answers: string) => generate({ ...asked, description: `${asked.description}\n\n${answers}` })
  return (
    <Shell title={w.wordsTitle} lede={w.wordsLede} wide>
      <ModelState>
        <ButtonLink to="/templates">{w.template}</ButtonLink>
        <StartEmpty />
      </ModelState>
      {generated === undefined && (
        <div className="panel acard words">
          <DataForm
            initial={{ ...asked }}
            fields={[
              {
                name: 'description',
                label: w.description,
                kind: 'textarea',
                rows: 6,
                required: true,
                autoFocus: true,
                hint: w.descriptionHint,
              },
              { name: 'sample', label: w.sample, kind: 'code', rows: 4, hint: w.sampleHint },
              {
                name: 'quality',
                label: w.quality,
                kind: 'select',
                options: [
                  ['strong', w.strong],
                  ['fast', w.fast],
                ],
              },
            ]}
            below={(values) => <KeptTyping name={kept} saved={blank} values={values} />}
            send={(values) => generate(values)}
            label={w.draft}
          />
        </div>
      )}
      {generated?.status === 'questions' && (
        <Questions questions={generated.questions} send={answer} back={() => setGenerated(undefined)} />
      )}
      {generated?.status === 'generated' && (
        <GeneratedDraft
          key={generated.definition}
          generated={generated}
          change={(instruction) => generate({ ...asked, description: instruction }, generated.definition ?? undefined)}
          saved={() => forgetUnsaved(kept)}
          back={() => setGenerated(undefined)}
        />
      )}
    </Shell>
  )
}
