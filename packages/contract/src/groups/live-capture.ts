import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'

const Sequence = z.int().min(1).describe('Position of the event in its session; a sequence that is known already is ignored.')

const CapturedRequest = z
  .strictObject({
    method: z.string().regex(/^[A-Za-z]{1,10}$/, { error: 'Must be a method of HTTP.' }),
    url: z.url({ protocol: /^https?$/, error: 'Must be an absolute URL with http or https.' }).max(2_048),
    status: z.int().min(0).max(599).optional().describe('Status of the response.'),
    contentType: z.string().max(200).optional().describe('Of the body.'),
    body: JsonValue.optional().describe('Parsed JSON, the members of a form, or text.'),
  })
  .meta({ id: 'CapturedRequest' })

export const CapturedEvent = z
  .strictObject({
    sequence: Sequence,
    at: Timestamp,
    kind: z.enum(['navigate', 'click', 'change', 'submit', 'key', 'request']),
    url: z.string().max(2_048).optional().describe('Address of the page.'),
    title: z.string().max(300).optional().describe('Title of the page.'),
    selector: z.string().max(500).optional().describe('CSS selector of the element.'),
    label: z.string().max(300).optional().describe('What a person calls the element: its label, text or placeholder.'),
    field: z.string().max(100).optional().describe('Name of the form field.'),
    value: z.string().max(4_000).optional().describe('What was typed or chosen. Dropped while the session masks inputs.'),
    secret: z.boolean().optional().describe('True for a password; its value is always dropped.'),
    request: CapturedRequest.optional().describe('Of `request`.'),
  })
  .meta({ id: 'CapturedEvent' })

const Session = z
  .object({
    id: typeId('cap'),
    name: z.string(),
    state: z.enum(['recording', 'stopping', 'stopped', 'expired']),
    maskInputs: z.boolean(),
    events: z.int().describe('Events that are stored.'),
    lastSequence: z.int().nullable().describe('The highest sequence that is stored.'),
    workflowId: typeId('wf').nullable().describe('The draft that it became; null before `stop`.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('A session that is not stopped takes no events after this time. It is deleted a week later.'),
    stoppedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'CaptureSession' })

const StartedSession = Session.extend({
  recorder: z.object({
    endpoint: z.string().describe('Where the recorder sends events. It is a secret of this session: only this response contains it.'),
    script: z.string().describe('URL of the recorder script; put it into a page with the attribute `data-endpoint`.'),
    bookmarklet: z.string().describe('The same as a link for the bookmarks bar.'),
    page: z.string().describe('A page with this link and instructions.'),
  }),
}).meta({ id: 'StartedCaptureSession' })

const Draft = z
  .object({
    workflowId: typeId('wf'),
    name: z.string(),
    pages: z.int(),
    calls: z.int().describe('HTTP calls of the draft.'),
    manualSteps: z.int().describe('Steps without an HTTP call, which the draft only names.'),
    inputs: z.array(z.string()).describe('Names of the inputs that typed values became.'),
    notes: z.array(z.string()).describe('What to check before the draft is published.'),
  })
  .meta({ id: 'CaptureDraft' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const reads = { ...base, auth: { scope: 'capture:read' }, audit: 'none', idempotency: 'natural' } as const
const writes = { ...base, auth: { scope: 'capture:write' }, role: 'member' } as const
const path = '/api/v1/livecapture'
const draftErrors = ['conflict', 'workflow_invalid', 'workflow_name_taken', 'not_found', 'capture_empty'] as const

const start = operation({
  ...writes,
  id: 'livecapture.start',
  method: 'POST',
  path: `${path}/session/start`,
  summary: 'Start to capture',
  description:
    'Opens a session for a day. Send events with `livecapture/events`, or load the recorder script or the bookmarklet into the pages that you use.',
  audit: 'capture.started',
  idempotency: 'keyed',
  body: z.strictObject({
    name: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .meta({ description: 'What is captured; the name of the draft.', examples: ['Order a chair'] }),
    maskInputs: z
      .boolean()
      .default(true)
      .describe(
        'Typed values never leave the page: only their fields do. False keeps them as examples of the inputs, except for passwords.',
      ),
  }),
  reply: StartedSession,
  errors: ['conflict'],
})

const events = operation({
  ...writes,
  id: 'livecapture.events',
  method: 'POST',
  path: `${path}/events`,
  summary: 'Add events to a session',
  description:
    'Exactly one of `events` (our form), `recording` (Chrome DevTools Recorder as JSON) and `rrweb` (events of rrweb). Repeating a request changes nothing: an event is known by its sequence. Their order of arrival does not matter. A session takes 5,000 events.',
  audit: 'none',
  idempotency: 'keyed',
  body: z.strictObject({
    sessionId: typeId('cap'),
    events: z.array(CapturedEvent).min(1).max(500).optional(),
    recording: JsonValue.optional().describe('A recording of Chrome DevTools Recorder, exported as JSON.'),
    rrweb: z.array(JsonValue).min(1).max(2_000).optional().describe('Events of rrweb, the full snapshot first.'),
    firstSequence: Sequence.default(1).describe('Sequence of the first step or event of `recording` and `rrweb`; the others follow it.'),
  }),
  reply: z.object({
    sessionId: typeId('cap'),
    accepted: z.int().describe('Events that are new.'),
    known: z.int().describe('Events that were stored already.'),
    ignored: z.int().describe('Events without meaning for a workflow, such as scrolling.'),
    lastSequence: z.int().nullable(),
  }),
  errors: ['conflict', 'not_found'],
})

const get = operation({
  ...reads,
  id: 'livecapture.get',
  method: 'GET',
  path: `${path}/session/{id}`,
  summary: 'Read a session with its events',
  params: z.object({ id: typeId('cap') }),
  query: z.strictObject({
    after: z.coerce.number<number>().int().min(0).default(0).describe('Only events after this sequence.'),
    limit: z.coerce.number<number>().int().min(1).max(500).default(100),
  }),
  reply: Session.extend({
    data: z.array(CapturedEvent).describe('Events in their order, from `after` on.'),
    nextAfter: z.int().nullable().describe('Send it as `after` for the next events; null on the last page.'),
  }),
  errors: [],
})

const stop = operation({
  ...writes,
  auth: { scope: 'workflows:write' },
  id: 'livecapture.stop',
  method: 'POST',
  path: `${path}/session/stop`,
  summary: 'Stop to capture, and make a workflow draft',
  description:
    'The steps are merged and grouped by page; typed values become inputs, HTTP calls become `call: http`, and each task names its events in `metadata.capture`. Repeating it returns the same draft.',
  audit: 'capture.stopped',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({ sessionId: typeId('cap') }),
  reply: z.object({ session: Session, draft: Draft }),
  errors: draftErrors,
})

const analyzeVideo = operation({
  ...writes,
  auth: { scope: 'workflows:write' },
  rateLimit: 'execution',
  id: 'livecapture.analyzeVideo',
  method: 'POST',
  path: `${path}/analyze-video`,
  summary: 'Make a workflow draft of a screen recording',
  description:
    'Reads the text of the different pictures of a recording: pages become groups of tasks, fields become inputs. Send `video` (mp4, mov, webm or mkv, at most 24 MiB; needs ffmpeg on the server), or `frames` that you took yourself. With a model of the role `vision`, the different pictures are also sent to it, at most 12, as the privacy policies and preferences permit: a picture whose recognized text has to be redacted is not sent.',
  audit: 'capture.video_analyzed',
  idempotency: 'keyed',
  transaction: 'own',
  bodyLimit: 34 * 1024 * 1024,
  body: z.strictObject({
    name: z.string().trim().min(1).max(200),
    maskInputs: z.boolean().default(true),
    video: z.base64().optional().describe('The file in base64.'),
    frames: z
      .array(z.strictObject({ atMs: z.int().min(0).describe('Time in the recording.'), image: z.base64().describe('A PNG in base64.') }))
      .min(1)
      .max(60)
      .optional(),
  }),
  reply: z.object({
    session: Session,
    draft: Draft,
    frames: z.array(
      z.object({
        atMs: z.int(),
        confidence: z.int().describe('Of the recognition, from 0 to 100.'),
        lines: z.int().describe('Lines of text that were read.'),
      }),
    ),
    vision: z
      .object({
        model: z.string().nullable().describe('Name of the model; null if none returned anything.'),
        pictures: z.int().describe('Pictures that it described: for them its reading is used, for the others the recognized text.'),
        problem: z.string().nullable().describe('Why it described none: the draft then comes from the recognized text alone.'),
      })
      .nullable()
      .describe('What a model with the role `vision` added; null without one.'),
  }),
  errors: [...draftErrors, 'ffmpeg_missing', 'overloaded'],
})

/** Sessions that capture what a person does in a browser. */
export const livecapture = { start, events, get, stop, analyzeVideo } as const
