import { ClientError } from '@millrace/client'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { DataForm } from '#src/forms/data-form.tsx'
import { ownZone } from '#src/session/own-zone.ts'
import { m } from '#src/messages/messages.ts'
import { saveStart, type StartFormProps } from '#src/starts/save-start.ts'
import { settingsOf } from '#src/starts/webhook-settings.ts'
import type { Trigger } from '#src/starts/what-starts.tsx'

interface FormFormProps extends Omit<StartFormProps, 'done'> {
  readonly done: (saved: Trigger, secret: string | null) => Promise<unknown>
}

/** A start by a page that anyone with its address can fill in: a webhook whose fields are those of the input schema. */
export function FormForm({ workflow, trigger, done }: FormFormProps) {
  const f = m.startForms
  const webhook = trigger?.webhook ?? null
  const before = webhook?.form
  const [lacksFields, setLacksFields] = useState(false)
  return (
    <DataForm
      initial={{
        name: trigger?.name ?? f.form,
        title: before?.title ?? '',
        description: before?.description ?? '',
        button: before?.button ?? '',
        thanks: before?.thanks ?? '',
        timeZone: before?.timeZone ?? ownZone(),
        mapping: trigger?.mapping ?? '',
      }}
      before={<p className="t13 i2">{f.about}</p>}
      fields={[
        { name: 'name', label: m.workflows.name, required: true, autoFocus: true },
        { name: 'title', label: f.title, hint: f.titleHint },
        { name: 'description', label: f.description, kind: 'textarea', rows: 3 },
        { name: 'button', label: f.button, placeholder: f.buttonShown },
        { name: 'thanks', label: f.thanks, kind: 'textarea', rows: 2 },
        { name: 'timeZone', label: m.starts.zone, required: true, hint: f.zoneHint, advanced: true },
        { name: 'mapping', label: m.starting.mapping, kind: 'code', rows: 2, placeholder: '.body', hint: f.mappingHint, advanced: true },
      ]}
      send={async ({ name, mapping, timeZone, ...texts }) => {
        const given = Object.entries(texts).filter(([, text]) => text.trim() !== '')
        // What the form does not show stays.
        const kept = webhook === null ? { signature: { scheme: 'none' as const } } : settingsOf(webhook)
        const settings = { webhook: { ...kept, form: { ...Object.fromEntries(given), timeZone } } }
        const { secret, ...saved } = await saveStart({ workflow, trigger }, { kind: 'webhook', name, settings, mapping }).catch(
          (error: unknown) => {
            setLacksFields(error instanceof ClientError && error.problem.code === 'form_invalid')
            throw error
          },
        )
        await done(saved, secret)
      }}
      beside={
        lacksFields && (
          <Link to={`/workflows/${workflow}?at=/input`} className="link">
            {m.inputFields.change}
          </Link>
        )
      }
      label={trigger === undefined ? m.starts.add : m.common.save}
    />
  )
}
