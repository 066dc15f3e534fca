import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { m } from '#src/messages/messages.ts'
import { type AccountModel, installationChoices, type ModelSettings, textChoices } from '#src/pages/models/account-model.ts'
import { ModelForm } from '#src/pages/models/model-form.tsx'
import { ListPage } from '#src/patterns/list-page.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { Badge, type Tone } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'
import { toast } from '#src/ui/toast.tsx'

/** The models that the account connected with its own keys, and when those of the installation are used. */
export function Page() {
  const k = m.ownModels
  const { confirm, open, sheet } = useSheet()
  const changed = useChanged()
  const add = () =>
    open(k.add, (close) => (
      <ModelForm
        done={(saved) =>
          changed()
            .then(close)
            .then(() => report(saved))
        }
      />
    ))
  const edit = (model: AccountModel) =>
    open(k.edit, (close) => (
      <ModelForm
        model={model}
        done={(saved) =>
          changed()
            .then(close)
            .then(() => report(saved))
        }
      />
    ))
  const test = (id: string) =>
    void api.models.test({ params: { id } }).then(
      (tested) => changed().then(() => report(tested)),
      () => toast(k.testFailed, 'faulted'),
    )
  const remove = ({ id, name, revision }: AccountModel) =>
    confirm(k.remove, k.removeText(name), () => api.models.delete({ params: { id } }, { ifMatch: revision }).then(changed))
  const button = (
    <Button look="primary" icon="plus" onClick={add}>
      {k.add}
    </Button>
  )
  return (
    <>
      <ListPage
        title={k.title}
        lede={k.lede}
        name="models"
        load={async () => ({ ...(await api.models.list()), nextCursor: null })}
        id={({ id }) => id}
        actions={button}
        above={<Installation />}
        columns={[
          { head: k.name, phone: 'main', cell: ({ name }) => <bdi className="mono b">{name}</bdi> },
          { head: k.model, phone: 'below', cell: (model) => <ModelAt model={model} /> },
          { head: k.roles, cell: ({ roles }) => <span className="i2">{roles.map((role) => k.roleNames[role]).join(', ')}</span> },
          { head: k.key, cell: ({ hasKey }) => <span className="i2">{hasKey ? '•••••••' : m.common.none}</span> },
          { head: k.state, phone: 'side', cell: (model) => <State model={model} /> },
          { head: k.tested, cell: ({ testedAt }) => <Time at={testedAt} kind="ago" /> },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (model) => (
              <Menu
                label={`${m.common.actions}: ${model.name}`}
                items={[
                  { label: k.test, icon: 'play', act: () => test(model.id) },
                  { label: m.common.edit, icon: 'edit', act: () => edit(model) },
                  { label: m.common.remove, icon: 'x', danger: true, act: () => remove(model) },
                ]}
              />
            ),
          },
        ]}
        empty={{ title: k.emptyTitle, text: k.emptyText, action: button }}
      />
      {sheet}
    </>
  )
}

/** Reads again what a change of the models concerns. */
function useChanged() {
  const queries = useQueryClient()
  return async () => {
    await queries.invalidateQueries({ queryKey: ['models'] })
    await queries.invalidateQueries({ queryKey: ['ai.health'] })
    await queries.invalidateQueries({ queryKey: ['model-limits'] })
  }
}

function report({ state, problem }: AccountModel): void {
  if (state === 'ready') toast(problem ?? m.ownModels.testPassed)
  else toast(problem ?? m.ownModels.testFailed, 'faulted')
}

function ModelAt({ model: { model, url, problem, state } }: { readonly model: AccountModel }) {
  return (
    <>
      <span className="i2">
        <bdi className="mono">{model}</bdi> · <bdi className="mono">{new URL(url).host}</bdi>
      </span>
      {problem !== null && (
        <p className={state === 'ready' ? 'model-problem t12 i2' : 'model-problem t12 c-bad'} dir="auto">
          {problem}
        </p>
      )}
    </>
  )
}

const tones: Readonly<Record<AccountModel['state'], Tone>> = { ready: 'ok', failed: 'bad', unauthorized: 'wait' }

function State({ model: { state, problem } }: { readonly model: AccountModel }) {
  return (
    <span title={problem ?? ''}>
      <Badge tone={tones[state]}>{m.ownModels.states[state]}</Badge>
    </span>
  )
}

/** When the models of the installation are used, and what is kept of texts, with the form that changes it. */
function Installation() {
  const k = m.ownModels
  const { open, sheet } = useSheet()
  const changed = useChanged()
  const settings = useQuery({ queryKey: ['models', 'settings'], queryFn: () => api.models.settings() })
  if (settings.data === undefined) return null
  const { installationModels, texts, currency } = settings.data
  const change = () => open(k.installation, (close) => <InstallationForm now={settings.data} done={() => changed().then(close)} />)
  return (
    <section className="panel acard">
      <div className="row wrap">
        <p className="grow">
          <b>{k.installation}:</b> {k.choices[installationModels]}
          <br />
          <b>{k.texts}:</b> {k.textChoices[texts]}
          <br />
          <b>{k.currency}:</b> {currency === null ? k.noCurrency : <bdi>{currency}</bdi>}
        </p>
        <Button onClick={change}>{m.common.edit}</Button>
      </div>
      {sheet}
    </section>
  )
}

function InstallationForm({ now, done }: { readonly now: ModelSettings; readonly done: () => Promise<unknown> }) {
  const k = m.ownModels
  return (
    <DataForm
      initial={{ installationModels: now.installationModels, texts: now.texts, currency: now.currency ?? '' }}
      fields={[
        {
          name: 'installationModels',
          label: k.installation,
          kind: 'select',
          options: installationChoices.map((choice) => [choice, k.choices[choice]]),
        },
        {
          name: 'texts',
          label: k.texts,
          kind: 'select',
          options: textChoices.map((choice) => [choice, k.textChoices[choice]]),
        },
        { name: 'currency', label: k.currency, placeholder: 'EUR', hint: k.currencyHint },
      ]}
      send={async ({ installationModels, texts, currency: typed }) => {
        const currency = typed.trim().toUpperCase() || null
        await api.models.updateSettings({ body: { installationModels, texts, currency } })
        toast(m.common.saved)
        await done()
      }}
      label={m.common.save}
    />
  )
}
