import type { JsonObject } from '@millrace/dsl'
import { passingOn } from '#src/editor/picker/passing-on.ts'

/** A step that can be added: what it is called in the messages, its glyph, and the task. */
export interface StepTemplate {
  readonly key: string
  readonly group: 'call' | 'data' | 'flow' | 'wait' | 'more' | 'connectors'
  readonly glyph: string
  /** Words that find it beside its title. */
  readonly words: string
  /** The task with its name, and further ones that are added behind it. */
  readonly task: JsonObject
}

/** Items without an id get the one of the run: rows with the same key would replace each other. */
const rowKey = '${ (.id // $workflow.id) | tostring }'

const branch: JsonObject = {
  route: {
    do: [
      {
        choose: {
          switch: [{ yes: { when: '${ .total > 1000 }', then: 'yes' } }, { otherwise: { then: 'otherwise' } }],
        },
      },
      { yes: { do: [], then: 'exit' } },
      { otherwise: { do: [], then: 'exit' } },
    ],
  },
}

/** A question, and the branch without which the workflow would continue alike when it is rejected: it ends then, and its result says why. */
const asked: JsonObject = {
  ask: { call: 'approve', with: { title: 'Is this right?', approvers: [{ role: 'admin' }], deadline: 'P3D' } },
  decide: {
    do: [
      { choose: { switch: [{ approved: { when: '.approved', then: 'approved' } }, { rejected: { then: 'rejected' } }] } },
      { approved: { do: [], then: 'exit' } },
      { rejected: { do: [{ refused: { set: '${ { approved, outcome, answers } }' } }], then: 'end' } },
    ],
  },
}

const guarded: JsonObject = {
  guard: {
    try: [],
    catch: {
      errors: { with: { status: 503 } },
      retry: { delay: { seconds: 2 }, backoff: { exponential: {} }, limit: { attempt: { count: 3 } } },
    },
  },
}

/** Every step of the picker, in its order. */
export const stepTemplates: readonly StepTemplate[] = [
  template('http', 'call', 'http', 'rest api get post webhook url fetch curl chat', {
    request: { call: 'http', with: { method: 'get', endpoint: 'https://example.com/items' } },
  }),
  template('approve', 'call', 'approve', 'people person colleague team ask decide human confirm sign review manager', asked),
  template('email', 'call', 'email', 'mail send notify message gmail outlook letter', {
    notify: passingOn({ call: 'email', with: { to: '', text: '' } }),
  }),
  template('model', 'call', 'agent', 'ai llm agent prompt generate classify extract', {
    answer: { call: 'model', with: { prompt: 'Summarize this in one sentence.', data: '${ . }' } },
  }),
  template('agent', 'call', 'agent', 'ai llm tools goal autonomous assistant', {
    agent: {
      call: 'agent',
      with: {
        goal: 'Say in one sentence what is new.',
        data: '${ . }',
        tools: [{ kind: 'http', name: 'items', description: 'Lists the items.', url: 'https://example.com/items' }],
        limits: { steps: 10 },
      },
    },
  }),
  template('workflow', 'call', 'workflow', 'child sub call another', {
    child: { run: { workflow: { namespace: 'mine', name: 'other', version: 'latest', input: '${ . }' } } },
  }),
  template('openapi', 'call', 'connector', 'swagger service operation', {
    operation: {
      call: 'openapi',
      with: { document: { endpoint: 'https://example.com/openapi.json' }, operationId: 'list', parameters: {} },
    },
  }),
  template('mcp', 'call', 'connector', 'tool server model context', {
    tool: {
      call: 'mcp',
      with: {
        method: 'tools/call',
        parameters: { name: 'search', arguments: {} },
        transport: { http: { endpoint: 'https://example.com/mcp' } },
      },
    },
  }),
  template('connector', 'call', 'connector', 'function plugin catalog integration', { step: { call: 'my-function', with: {} } }),
  template('respond', 'call', 'emit', 'answer reply http webhook return send back', {
    respond: { call: 'respond', with: { body: '${ . }' } },
  }),
  template(
    'set',
    'data',
    'set',
    'assign map transform variable value filter keep sum count total average sort group merge join remove columns rename format calculate',
    { prepare: { set: { value: '${ . }' } } },
  ),
  template('tables.add', 'data', 'connector', 'rows save write put insert store record once database sheet', {
    add: passingOn({ call: 'tables.add', with: { table: 'orders', key: rowKey, columns: '${ . }' } }),
  }),
  template('tables.put', 'data', 'connector', 'rows save put insert store record replace update upsert database sheet', {
    write: passingOn({ call: 'tables.put', with: { table: 'orders', key: rowKey, columns: '${ . }' } }),
  }),
  template('einvoice.create', 'data', 'connector', 'invoice bill xml pdf ubl zugferd xrechnung order', {
    invoice: {
      call: 'einvoice.create',
      with: {
        number: '${ .number }',
        currency: 'EUR',
        seller: { name: '', vatId: '', address: { country: 'DE' } },
        buyer: { name: '${ .customer }', address: { country: 'DE' } },
        lines: [{ name: '${ .item }', quantity: 1, unitPrice: '${ .price }', vat: { rate: 19 } }],
      },
    },
  }),
  template('script', 'data', 'script', 'javascript code compute js calculate', {
    compute: { run: { script: { language: 'javascript', code: 'return { ok: true }' } } },
  }),
  template('switch', 'flow', 'switch', 'if else condition case branch route decide filter only when', branch),
  template('for', 'flow', 'for', 'each loop iterate list repeat every', { each: { for: { each: 'item', in: '${ .items }' }, do: [] } }),
  template('try', 'flow', 'try', 'error catch retry guard again repeat failure', guarded),
  template('fork', 'flow', 'fork', 'parallel concurrent branches same time', {
    parallel: { fork: { branches: [{ first: { do: [] } }, { second: { do: [] } }], compete: false } },
  }),
  template('do', 'flow', 'do', 'block sequence group', { group: { do: [] } }),
  template('raise', 'flow', 'raise', 'throw fail error stop', {
    fail: { raise: { error: { type: 'https://example.com/errors/failed', status: 422, title: 'It failed' } } },
  }),
  template('wait', 'wait', 'wait', 'delay sleep pause time duration later until', { pause: { wait: { minutes: 5 } } }),
  template('listen', 'wait', 'listen', 'event receive message trigger', {
    receive: { listen: { to: { one: { with: { type: 'com.example.happened' } } } } },
  }),
  template('emit', 'wait', 'emit', 'event publish send message', {
    publish: passingOn({
      emit: { event: { with: { source: 'https://example.com/mine', type: 'com.example.happened', data: '${ . }' } } },
    }),
  }),
]

function template(key: string, group: StepTemplate['group'], glyph: string, words: string, task: JsonObject): StepTemplate {
  return { key, group, glyph, words, task }
}

/** Words of a sentence that mean no step. */
const small: ReadonlySet<string> = new Set(['a', 'an', 'the', 'of', 'to', 'in', 'into', 'my', 'في', 'إلى'])

type StepTexts = Readonly<Record<string, readonly [title: string, text: string, words?: string]>>

/** The templates that a search means, the best first. Each word must begin a word of the title, the text or the further words. */
export function findTemplates(
  query: string,
  texts: StepTexts,
  templates: readonly StepTemplate[] = stepTemplates,
): readonly StepTemplate[] {
  const all = wordsOf(query)
  const meaning = all.filter((word) => !small.has(word))
  const words = meaning.length === 0 ? all : meaning
  if (words.length === 0) return templates
  return templates
    .map((one) => ({ one, score: scoreOf(one, texts[one.key] ?? [one.key, ''], words) }))
    .filter(({ score }) => score > 0)
    .toSorted((first, second) => second.score - first.score)
    .map(({ one }) => one)
}

function scoreOf({ key, words: more }: StepTemplate, [title, text, others = '']: StepTexts[string], words: readonly string[]): number {
  const scores = words.map((word) => {
    if (begins(title, word) || key.startsWith(word)) return 3
    if (begins(more, word) || begins(others, word)) return 2
    return begins(text, word) ? 1 : 0
  })
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, score) => sum + score, 0)
}

function begins(text: string, word: string): boolean {
  return wordsOf(text).some((one) => one.startsWith(word))
}

/** E-mail is two words, wherever it stands. */
function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s,.-]+/)
    .filter(Boolean)
}
