import type { RunTask, ScriptProcess } from '@millrace/dsl'
import { mapped } from '#core/evaluate.ts'
import type { Json } from '#core/json.ts'
import type { TaskBody } from '#core/node.ts'
import { type CompileContext, optional } from './context.ts'
import { compileTemplate } from './expression.ts'
import { resourceAt, uriOf } from './resource.ts'

export function compileRun({ run }: RunTask, context: CompileContext): TaskBody {
  const { workflow, script } = run
  if (workflow !== undefined) {
    const { namespace, name, version } = workflow
    const input = compileTemplate(workflow.input === undefined ? {} : workflow.input, context.expressions)
    return { kind: 'run-workflow', namespace, name, version, input, await: run.await ?? true }
  }
  if (script === undefined) throw new Error('a process that is neither workflow nor script was not refused before compiling')
  // A script has no effect but its output, so there is no need to run one whose output is not awaited.
  if (run.await === false) return { kind: 'pass' }
  const { language, stdin, arguments: args, environment } = script
  const given = {
    language,
    return: run.return ?? 'stdout',
    ...optional('stdin', stdin),
    ...optional('arguments', args),
    ...optional('environment', environment),
  }
  const code = codeOf(script, context)
  const template = compileTemplate(given, context.expressions)
  // The code is added unevaluated: text in it that looks like an expression belongs to the script.
  const withCode = (value: Json) => ({ ...asObject(value), code })
  return { kind: 'call', function: 'script', arguments: (dot, scope) => mapped(template(dot, scope), withCode) }
}

function codeOf({ code, source }: ScriptProcess, { installation }: CompileContext): string {
  if (code !== undefined) return code
  const uri = source === undefined ? '' : uriOf(source.endpoint)
  const fetched = resourceAt(installation.resources, uri)
  if (typeof fetched !== 'string') throw new Error(`the script ${uri} was not fetched before compiling`)
  return fetched
}

function asObject(value: Json) {
  return typeof value === 'object' ? value : {}
}
