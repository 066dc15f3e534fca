import type { groups, Reply, Sent } from '@millrace/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '#src/api/client.ts'
import { DataForm } from '#src/forms/data-form.tsx'
import { Diagnostics, type Diagnostic, diagnosticsOf } from '#src/importing/diagnostics.tsx'
import { ImportReport } from '#src/importing/import-report.tsx'
import { keepReport, keptReport, reportPath } from '#src/importing/kept-report.ts'
import { FieldProblems } from '#src/forms/use-form.ts'
import { type FileKind, fileBytesMax, kindOfFile, mistakeOfFile } from '#src/importing/kind-of-file.ts'
import { m } from '#src/messages/messages.ts'
import { Page as Shell } from '#src/patterns/page.tsx'
import { ButtonLink } from '#src/ui/button-link.tsx'
import { bytes } from '#src/values/format.ts'

type Imported = Reply<(typeof groups)['workflows']['import']>
type Export = Sent<(typeof groups)['workflows']['import']>['body']['export']

/** A file of n8n, of Millrace, or a definition becomes a draft. */
export function Page() {
  const w = m.making
  const { made = '' }: { made?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [now, setNow] = useState<Imported>()
  // Back, a reload and the page of the workflow lead to the report again.
  const imported = now?.report !== undefined && now.id === made ? { name: now.name, report: now.report } : keptReport(made)
  const done = (one: Imported) => {
    const { id, name, report } = one
    setNow(one)
    if (report === undefined) return navigate({ to: `/workflows/${id}` })
    keepReport(id, { name, report })
    return navigate({ to: reportPath(id), replace: true })
  }
  return (
    <Shell title={w.fileTitle} lede={w.fileLede}>
      {imported === undefined ? (
        <FileForm done={done} />
      ) : (
        <section className="panel acard" role="status">
          <h2 className="t16 bb">{m.importing.made(imported.name)}</h2>
          <ImportReport report={imported.report} />
          <div className="row">
            <ButtonLink to={`/workflows/${made}`} look="primary">
              {m.importing.open}
            </ButtonLink>
          </div>
        </section>
      )}
    </Shell>
  )
}

function FileForm({ done }: { readonly done: (imported: Imported) => Promise<void> }) {
  const w = m.making
  const queries = useQueryClient()
  const [file, setFile] = useState<{ readonly name: string; readonly text: string; readonly count: number }>()
  const [refused, setRefused] = useState<{ readonly name: string; readonly why: string }>()
  const [findings, setFindings] = useState<readonly Diagnostic[]>([])
  const read = (list: FileList | null) => {
    const [first] = list ?? []
    if (first === undefined) return
    setFindings([])
    // A file that is too large is not read.
    const text = first.size > fileBytesMax ? Promise.resolve('') : first.text()
    void text.then((content) => {
      const why = mistakeText(content, first.size)
      setRefused(why === undefined ? undefined : { name: first.name, why })
      if (why === undefined) setFile((before) => ({ name: first.name, text: content, count: (before?.count ?? 0) + 1 }))
    })
  }
  const send = async (text: string, name: string) => {
    setFindings([])
    setRefused(undefined)
    const wrong = mistakeText(text)
    if (wrong !== undefined) throw new FieldProblems({ text: wrong })
    const made = await create(text, name.trim()).catch((error: unknown) => {
      setFindings(diagnosticsOf(error))
      throw error
    })
    await queries.invalidateQueries({ queryKey: ['workflows'] })
    await done(made)
  }
  return (
    <>
      <label
        className="panel drop"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault()
          read(event.dataTransfer.files)
        }}
      >
        <input type="file" className="vh" accept=".yaml,.yml,.json" onChange={(event) => read(event.target.files)} />
        <span className="btn">{w.choose}</span>
        <span className="t13 i2">{file === undefined ? w.drop : <bdi className="mono">{file.name}</bdi>}</span>
      </label>
      {refused !== undefined && (
        <p className="c-bad" role="alert">
          <bdi className="mono">{refused.name}</bdi>: {refused.why}
        </p>
      )}
      <DataForm
        key={file?.count ?? 0}
        initial={{ text: file?.text ?? '', name: '' }}
        fields={({ text }) => [
          { name: 'text', label: w.paste, kind: 'code', rows: 12, required: true, hint: text.trim() === '' ? w.pasteHint : kindWord(text) },
          { name: 'name', label: m.importing.name, hint: w.nameHint },
        ]}
        send={({ text, name }) => send(text, name)}
        label={w.importIt}
      />
      <Diagnostics findings={findings} />
    </>
  )
}

function mistakeText(text: string, size?: number): string | undefined {
  const w = m.making.fileMistakes
  const mistake = mistakeOfFile(text, size)
  if (mistake === undefined) return undefined
  return mistake === 'tooLarge' ? w.tooLarge(bytes(fileBytesMax)) : w[mistake]
}

function kindWord(text: string): string {
  const words: Readonly<Record<FileKind, string>> = m.making.fileKinds
  return words[kindOfFile(text).kind]
}

async function create(text: string, name: string): Promise<Imported> {
  const named = name === '' ? {} : { name }
  const { kind, content } = kindOfFile(text)
  if (kind === 'definition') return api.workflows.create({ body: { definition: text, publish: false, ...named } })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The server checks the document and names what is wrong in it.
  return api.workflows.import({ body: { export: content as Export, ...named } })
}
