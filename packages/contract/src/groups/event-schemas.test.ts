import { describe, expect, test } from 'vitest'
import { CloudEvent } from './event-schemas.ts'

const least = { specversion: '1.0', id: '1', source: '/shop', type: 'com.example.order' }

function pointersOf(event: unknown): readonly string[] {
  return (CloudEvent.safeParse(event).error?.issues ?? []).map((issue) => `/${issue.path.join('/')}`)
}

describe('an event is taken', () => {
  test.each([
    ['with no more than it has to have', least],
    [
      'with every attribute',
      {
        ...least,
        time: '2026-01-31T09:30:00.123456789+02:00',
        subject: 'a',
        datacontenttype: 'text/plain',
        dataschema: 'urn:x',
        data: 'text',
      },
    ],
    ['with data of any form', { ...least, data: [{ a: null }] }],
    ['with bytes', { ...least, data_base64: 'AAEC' }],
    ['with attributes of its own', { ...least, traceparent: '00-0af7-b7ad-01', sequence: 7, sampled: true }],
    ['with attributes that are null, which stand for none', { ...least, subject: null, time: null, mine: null }],
    ['with a source that is relative', { ...least, source: '#part' }],
  ])('%s', (_, event) => {
    expect(CloudEvent.safeParse(event).error?.issues).toBeUndefined()
    expect(CloudEvent.parse(event)).toEqual(event)
  })
})

describe('an event is refused, with the place of what is wrong', () => {
  test.each([
    ['without what it has to have', {}, ['/specversion', '/id', '/source', '/type']],
    ['of another version', { ...least, specversion: '0.3' }, ['/specversion']],
    ['with an empty id', { ...least, id: '' }, ['/id']],
    ['with an id that is a number', { ...least, id: 7 }, ['/id']],
    ['with an id that is too long for an index', { ...least, id: 'x'.repeat(257) }, ['/id']],
    ['with a source that is no URI reference', { ...least, source: 'my shop' }, ['/source']],
    ['with a source that is not encoded', { ...least, source: '/straße' }, ['/source']],
    ['with a day that is not a time', { ...least, time: '2026-01-31' }, ['/time']],
    ['with a month that does not exist', { ...least, time: '2026-13-01T00:00:00Z' }, ['/time']],
    ['with an invalid name of an attribute', { ...least, traceParent: 'x' }, ['/traceParent']],
    ['with an attribute that is an object', { ...least, trace: {} }, ['/trace']],
    ['with an attribute that is a fraction', { ...least, share: 0.5 }, ['/share']],
    ['with data twice', { ...least, data: 1, data_base64: 'AAEC' }, ['/data_base64']],
    ['with bytes that are not base64', { ...least, data_base64: '*' }, ['/data_base64']],
    ['of a type that only we make', { ...least, type: 'io.serverlessworkflow.workflow.started.v1' }, ['/type']],
    ['that is an array', [least], ['/']],
  ])('%s', (_, event, pointers) => {
    expect(pointersOf(event)).toEqual(pointers)
  })
})
