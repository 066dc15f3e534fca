import { expressionProblem, inputPaths } from '#src/expression/expression.ts'
import type { JsonObject } from '#src/json.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import { isObject } from '#src/shape/variables.ts'
import type { ExpressionSite, Facts, Finding, Suggestions } from '#src/validate/facts.ts'
import { closeName, quoted } from '#src/validate/wording.ts'

/** Members of the output of `call: approve`. */
const outputMembers = ['approved', 'outcome', 'data', 'details', 'answers', 'approval', 'decidedAt'] as const

/** What an expression reads of an approval, as `.` of the task behind it or below `$steps`. */
interface Approval {
  readonly name: string
  /** Members of its form; undefined if they are not known. */
  readonly members: readonly string[] | undefined
  readonly suggestions: Suggestions
}

/**
 * Warns of a misspelled member of an approval's output or form, which reads null. What resembles no known member is left alone: data of other tasks may
 * be meant.
 */
export function checkApprovalReads({ lists, expressions, findings, suggestions }: Facts): void {
  const sites = expressions.map((site) => ({ site, pointer: pointerOf(site.path) }))
  for (const { branches, entries } of lists)
    for (const [index, { name, task }] of entries.entries()) {
      if (!isObject(task) || task['call'] !== 'approve' || 'output' in task) continue
      const approval = { name, members: formMembers(task), suggestions }
      for (const { site } of sites) if (site.source.includes('$steps')) findings.push(...stepFindings(site, approval))
      const next = branches || 'export' in task ? undefined : entries[index + 1]
      if (
        next === undefined ||
        !isObject(next.task) ||
        'input' in next.task ||
        !(task['then'] === undefined || task['then'] === 'continue')
      )
        continue
      const below = `${pointerOf(next.path)}/`
      for (const { site, pointer } of sites)
        if (pointer.startsWith(below) && isOwn(site, pointer.slice(below.length))) findings.push(...inputFindings(site, approval))
    }
}

function formMembers({ with: args }: JsonObject): readonly string[] | undefined {
  const form = isObject(args) ? args['form'] : undefined
  const properties = isObject(form) ? form['properties'] : undefined
  return isObject(properties) ? Object.keys(properties) : undefined
}

/** Whether an expression of a task, and of no task in it, is evaluated on the input of the task. */
function isOwn({ place: { stage } }: ExpressionSite, within: string): boolean {
  return (stage === 'task' || stage === 'taskInput') && !/(?:^|\/)(?:do|try|catch|fork|foreach|while|for)(?:\/|$)/.test(within)
}

function inputFindings(site: ExpressionSite, approval: Approval): Finding[] {
  const names = [...new Set([...site.source.matchAll(/\$\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name))]
  if (expressionProblem(site.source, names) !== undefined) return []
  return inputPaths(site.source, names).flatMap((path) => {
    const [, first, second] = /^\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?/.exec(path) ?? []
    return first === undefined ? [] : findingsOf(site, approval, { first, second, before: '' })
  })
}

function stepFindings(site: ExpressionSite, approval: Approval): Finding[] {
  return [...site.source.matchAll(/\$steps\.([A-Za-z_]\w*)\.([A-Za-z_]\w*)(?:\.([A-Za-z_]\w*))?/g)].flatMap(([, name, first, second]) =>
    name === approval.name && first !== undefined ? findingsOf(site, approval, { first, second, before: `$steps.${name}` }) : [],
  )
}

interface Read {
  readonly first: string
  readonly second: string | undefined
  readonly before: string
}

function findingsOf(site: ExpressionSite, { name, members, suggestions }: Approval, { first, second, before }: Read): Finding[] {
  const known: readonly string[] = outputMembers
  if (!known.includes(first)) return misspelled(site, suggestions, { before, word: first, what: `The output of ${quoted(name)}`, known })
  if (first !== 'data' || second === undefined || members === undefined || members.includes(second)) return []
  return misspelled(site, suggestions, { before: `${before}.data`, word: second, what: `The form of ${quoted(name)}`, known: members })
}

interface Misspelled {
  readonly before: string
  readonly word: string
  readonly what: string
  readonly known: readonly string[]
}

function misspelled(site: ExpressionSite, suggestions: Suggestions, { before, word, what, known }: Misspelled): Finding[] {
  const close = closeName(suggestions, word, known)
  const at = site.source.indexOf(`${before}.${word}`)
  if (close === undefined || at === -1) return []
  const start = at + before.length
  const piece = { value: site.value, offset: site.offset, start, end: start + word.length + 1 }
  const message = `${what} has no member ${quoted(word)}, so that this reads null.`
  return [{ code: 'doubtful_property', severity: 'warning', path: site.path, at: 'value', message, hint: `Did you mean .${close}?`, piece }]
}
