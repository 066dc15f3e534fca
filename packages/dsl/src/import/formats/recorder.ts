import { childPointer } from '#src/parse/pointer.ts'
import {
  type Imported,
  ImportError,
  type ImportFinding,
  type SecretToFill,
  startsByItself,
  type TriggerProposal,
} from '#src/import/report.ts'
import type { Data } from '#src/import/value.ts'

export interface Task {
  [key: string]: unknown
}
export type TaskList = Record<string, Task>[]

/** A part of a foreign workflow, as findings name it. */
export interface Part {
  readonly pointer: string
  readonly name: string
  readonly type: string
}

/** Parts of one document, at any depth. */
const partsMax = 5_000

/** Collects what became of the parts of a foreign workflow. */
export class Recorder {
  readonly triggers: TriggerProposal[] = []
  readonly starts: TriggerProposal[] = []
  private readonly parts = new Set<string>()
  private readonly findings: ImportFinding[] = []
  private readonly secrets = new Map<string, { kind: string; usedBy: Set<string> }>()
  private readonly used = new Set(['start', 'continue', 'exit', 'end'])
  /** The last number behind each name. */
  private readonly numbers = new Map<string, number>()

  /** Begins a part and gives it the name of a task that no other part has. */
  part({ pointer, name }: Part): string {
    this.parts.add(pointer)
    if (this.parts.size > partsMax) throw new ImportError(`The document has more than ${partsMax} parts.`, pointer)
    const slug = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
    const base = slug === '' || Object.hasOwn(Object.prototype, slug) ? `step-${this.parts.size}` : slug
    let unused = base
    let number = this.numbers.get(base) ?? 1
    while (this.used.has(unused)) unused = `${base}-${++number}`
    this.numbers.set(base, number)
    this.used.add(unused)
    return unused
  }

  find({ pointer, name, type }: Part, outcome: ImportFinding['outcome'], reason: string, path = ''): void {
    this.findings.push({ outcome, pointer: `${pointer}${path}`, part: name, type, reason })
  }

  /** Records a start that needs no trigger. */
  startsByItself(part: Part, kind: keyof typeof startsByItself, settings: Data = {}): void {
    this.starts.push({ name: part.name, kind, settings })
    this.find(part, 'note', startsByItself[kind])
  }

  /** A task that fails until a person replaces it, with what the part was. */
  missing(part: Part, why: string, settings: unknown): Task {
    this.find(
      part,
      'not_converted',
      `${why} The step fails with the error not-converted until you replace it; its settings are in its metadata.`,
    )
    const error = {
      type: 'https://millrace.dev/errors/import/not-converted',
      status: 501,
      title: 'Not converted',
      detail: `Replace the step of type ${part.type}.`,
    }
    return { raise: { error }, metadata: { type: part.type, settings: (JSON.stringify(settings) ?? '').slice(0, 20_000) } }
  }

  secret(kind: string, { name }: Part): string {
    const secret =
      kind
        .replaceAll(/[^A-Za-z0-9]+/g, '_')
        .replace(/^(\d)/, '_$1')
        .slice(0, 60) || 'credential'
    const known = this.secrets.get(secret) ?? { kind, usedBy: new Set<string>() }
    known.usedBy.add(name)
    this.secrets.set(secret, known)
    return secret
  }

  result(format: string, title: string, list: TaskList, { timeZone, ...more }: Data & { readonly timeZone?: string } = {}): Imported {
    const name = title.trim() === '' ? 'Imported workflow' : title.trim().slice(0, 200)
    const slug = name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .slice(0, 60)
    const secrets: SecretToFill[] = [...this.secrets].map(([secret, { kind, usedBy }]) => ({ secret, kind, usedBy: [...usedBy] }))
    const document = {
      dsl: '1.0.3',
      namespace: 'imported',
      name: slug || 'workflow',
      version: '1.0.0',
      title: name,
      metadata: { importedFrom: format, ...(timeZone === undefined ? {} : { timeZone }) },
    }
    const definition = {
      document,
      ...(secrets.length === 0 ? {} : { use: { secrets: secrets.map(({ secret }) => secret) } }),
      ...more,
      do: list.length === 0 ? [{ nothing: { set: '${ . }' } }] : list,
    }
    return {
      definition,
      report: {
        format,
        name,
        parts: this.counts(),
        findings: this.findings,
        starts: this.starts,
        triggers: this.triggers,
        secrets,
        variables: [],
      },
    }
  }

  private counts() {
    const of = (outcome: string) =>
      new Set(this.findings.filter((one) => one.outcome === outcome).flatMap(({ pointer }) => this.partOf(pointer)))
    const notConverted = of('not_converted')
    const adapted = [...of('adapted')].filter((part) => !notConverted.has(part)).length
    const total = this.parts.size
    return { total, converted: total - adapted - notConverted.size, adapted, notConverted: notConverted.size, notes: 0 }
  }

  /** The innermost part that has a pointer. */
  private partOf(pointer: string): readonly string[] {
    for (let end = pointer.length; end > 0; end = pointer.lastIndexOf('/', end - 1)) {
      const part = pointer.slice(0, end)
      if (this.parts.has(part)) return [part]
    }
    return []
  }
}

/** `export.as` that keeps the output of a task in the context under its name. */
export function kept(name: string, task: Task): Task {
  return { ...task, export: { as: `\${ ($context | if type == "object" then . else {} end) + {${JSON.stringify(name)}: .} }` } }
}

/** One segment of a JSON Pointer. */
export function segment(key: string | number): string {
  return childPointer('', key)
}

/** A definition must not nest without end. */
export const depthMax = 40
