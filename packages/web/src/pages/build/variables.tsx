import type { groups, Reply } from '@millrace/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useDeferredValue, useEffect, useEffectEvent, useRef } from 'react'
import { api } from '#src/api/client.ts'
import { readJson } from '#src/api/json.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import type { FieldSpec } from '#src/forms/field.tsx'
import { askedVariable } from '#src/patterns/new-asked.ts'
import { namesSecret } from '#src/pages/build/secret-names.ts'
import { variableText } from '#src/pages/build/variable-text.ts'
import { m } from '#src/messages/messages.ts'
import { ListPage } from '#src/patterns/list-page.tsx'
import { UsedBy } from '#src/patterns/used-by.tsx'
import { useSheet } from '#src/patterns/use-sheet.tsx'
import { useMayChange } from '#src/session/use-may-change.ts'
import { Badge } from '#src/ui/badge.tsx'
import { Button } from '#src/ui/button.tsx'
import { Menu } from '#src/ui/menu.tsx'
import { Time } from '#src/ui/time.tsx'

type Variable = Reply<(typeof groups)['variables']['list']>['data'][number]
type AskedVariable = NonNullable<ReturnType<typeof askedVariable>>
const kinds = ['text', 'number', 'boolean', 'json', 'secret'] as const
const environments = ['all', 'draft', 'production'] as const

export function Page() {
  const v = m.variables
  const queries = useQueryClient()
  const { open, confirm, sheet } = useSheet()
  const changed = () => queries.invalidateQueries({ queryKey: ['variables'] })
  const mayChange = useMayChange()
  const edit = (variable?: Variable, asked?: AskedVariable) =>
    open(variable?.name ?? v.create, (close) => <VariableForm variable={variable} asked={asked} done={() => changed().then(close)} />)
  const { at }: { at?: string } = useSearch({ strict: false })
  const openAsked = useEffectEvent((asked: AskedVariable) => edit(undefined, asked))
  useEffect(() => {
    const asked = askedVariable(at)
    if (asked !== undefined && mayChange) openAsked(asked)
  }, [at, mayChange])
  const reveal = (variable: Variable) => open(variable.name, () => <Revealed id={variable.id} />)
  return (
    <>
      <ListPage
        title={v.title}
        lede={v.lede}
        name="variables"
        load={(query) => api.variables.list({ query })}
        id={({ id }) => id}
        actions={
          mayChange && (
            <Button look="primary" icon="plus" onClick={() => edit()}>
              {v.create}
            </Button>
          )
        }
        filters={[
          { name: 'name', label: v.find },
          { name: 'kind', label: v.kind, options: kinds.map((kind) => [kind, v.kinds[kind]]) },
          { name: 'environment', label: v.environment, options: environments.map((one) => [one, v.environments[one]]) },
        ]}
        columns={[
          { head: v.name, phone: 'main', cell: ({ name }) => <bdi className="mono b">{name}</bdi> },
          {
            head: v.value,
            phone: 'below-next',
            cell: (variable) =>
              variable.masked ? <span className="i3">•••••••</span> : <bdi className="mono i2">{JSON.stringify(variable.value)}</bdi>,
          },
          { head: v.kind, phone: 'side', cell: ({ kind }) => <Badge tone={kind === 'secret' ? 'wait' : 'off'}>{v.kinds[kind]}</Badge> },
          {
            head: v.environment,
            phone: 'below',
            cut: false,
            cell: ({ environment }) => <span className="i2">{v.environments[environment]}</span>,
          },
          { head: v.description, cut: true, cell: ({ description }) => <span className="i2">{description}</span> },
          {
            head: v.changed,
            end: true,
            cell: ({ updatedAt }) => (
              <span className="i2">
                <Time at={updatedAt} kind="ago" />
              </span>
            ),
          },
          {
            head: m.common.actions,
            end: true,
            phone: 'end',
            cell: (variable) => (
              <Menu
                label={`${m.common.actions}: ${variable.name}`}
                items={
                  mayChange
                    ? [
                        { label: m.common.edit, icon: 'edit', act: () => edit(variable) },
                        ...(variable.masked ? [{ label: v.reveal, icon: 'eye', act: () => reveal(variable) }] : []),
                        {
                          label: m.common.remove,
                          icon: 'x',
                          danger: true,
                          act: () =>
                            confirm(
                              v.remove,
                              v.removeText(variable.name),
                              () => api.variables.delete({ params: { id: variable.id } }).then(changed),
                              <UsedBy
                                kind={variable.masked ? 'secret' : 'variable'}
                                name={variable.name}
                                within={variable.workflowId ?? undefined}
                              />,
                            ),
                        },
                      ]
                    : []
                }
              />
            ),
          },
        ]}
        empty={{
          title: v.emptyTitle,
          text: v.emptyText,
          action: mayChange && (
            <Button look="primary" onClick={() => edit()}>
              {v.create}
            </Button>
          ),
        }}
      />
      {sheet}
    </>
  )
}

interface VariableFormProps {
  readonly variable: Variable | undefined
  /** Of a new one: what is filled in. */
  readonly asked?: AskedVariable | undefined
  readonly done: () => Promise<unknown>
}

function VariableForm({ variable, asked, done }: VariableFormProps) {
  const v = m.variables
  const choseKind = useRef(asked !== undefined)
  return (
    <DataForm
      initial={{
        name: variable?.name ?? asked?.name ?? '',
        kind: variable?.kind ?? asked?.kind ?? 'text',
        value: variable === undefined ? '' : variableText(variable),
        environment: variable?.environment ?? 'all',
        description: variable?.description ?? '',
      }}
      derive={(values, changed) => {
        if (changed === 'kind') choseKind.current = true
        const kind: Variable['kind'] = namesSecret(values.name) ? 'secret' : 'text'
        return changed !== 'name' || choseKind.current ? values : { ...values, kind }
      }}
      below={({ name, kind }) => variable === undefined && kind !== 'secret' && <ReadAsSecret name={name} />}
      fields={({ name, kind, value }) => [
        ...(variable === undefined ? newFields(kind === 'secret' && namesSecret(name)) : []),
        {
          name: 'value',
          label: v.value,
          kind: kind === 'secret' ? 'new-password' : kind === 'json' ? 'code' : 'text',
          required: variable?.masked !== true,
          ...hintOf(kind, value, variable),
        },
        { name: 'description', label: v.description },
      ]}
      send={async ({ name, kind, value, environment, description }) => {
        const plain = kind === 'text' || kind === 'secret'
        const typed = plain ? value : readJson(value, m.editor.notJson)
        if (variable === undefined) await api.variables.create({ body: { name, kind, value: typed, environment, description } })
        else
          await api.variables.update(
            { params: { id: variable.id }, body: { description, ...(value === '' && variable.masked ? {} : { value: typed }) } },
            { ifMatch: variable.revision },
          )
        await done()
      }}
      label={m.common.save}
    />
  )
}

/** A blank at an end of a secret is hardly ever meant, and cannot be seen. */
function hintOf(kind: string, value: string, variable: Variable | undefined): { readonly hint?: string } {
  if (kind === 'secret' && value !== value.trim()) return { hint: m.variables.blankEnds }
  return variable?.masked === true ? { hint: m.variables.keepSecret } : {}
}

/** Says that workflows read a name as a secret, which a variable of another kind is not. */
function ReadAsSecret({ name }: { readonly name: string }) {
  const wanted = useDeferredValue(name.trim())
  const uses = useQuery({
    queryKey: ['workflow-uses', 'secret', wanted],
    enabled: wanted !== '',
    queryFn: () => api.workflows.using({ query: { secret: wanted } }),
  })
  const using = wanted === '' ? [] : (uses.data?.data ?? [])
  if (using.length === 0) return null
  return (
    <p className="c-wait" role="status">
      {m.variables.readAsSecret(wanted, using.map((one) => one.name).join(', '))}
    </p>
  )
}

/** A secret is shown after a decision, since the audit log names who saw it. */
function Revealed({ id }: { readonly id: string }) {
  return (
    <DataForm
      initial={{ shown: '' }}
      before={<p className="i2">{m.variables.revealText}</p>}
      fields={({ shown }) => (shown === '' ? [] : [{ name: 'shown', label: m.variables.value }])}
      send={async () => {
        const { value } = await api.variables.reveal({ params: { id } })
        await navigator.clipboard.writeText(typeof value === 'string' ? value : JSON.stringify(value))
      }}
      label={m.variables.copySecret}
    />
  )
}

/** What only a new variable is asked for. */
function newFields(proposed: boolean): readonly FieldSpec[] {
  const v = m.variables
  return [
    { name: 'name', label: v.name, required: true, hint: v.nameHint, autoFocus: true },
    {
      name: 'kind',
      label: v.kind,
      kind: 'select',
      options: kinds.map((one) => [one, v.kinds[one]]),
      ...(proposed ? { hint: v.secretHint } : {}),
    },
    { name: 'environment', label: v.environment, kind: 'select', options: environments.map((one) => [one, v.environments[one]]) },
  ]
}
