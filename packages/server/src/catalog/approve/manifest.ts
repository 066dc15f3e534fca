import { decidingRoles } from '@millrace/contract/roles'
import type { FunctionManifest } from '@millrace/engine'

/** ISO 8601 without years and months, whose length is not fixed. */
const duration = {
  type: 'string',
  pattern:
    '^P([0-9]{1,4}W|[0-9]{1,5}D(T([0-9]{1,6}H([0-9]{1,6}M)?([0-9]{1,8}S)?|[0-9]{1,6}M([0-9]{1,8}S)?|[0-9]{1,8}S))?|T([0-9]{1,6}H([0-9]{1,6}M)?([0-9]{1,8}S)?|[0-9]{1,6}M([0-9]{1,8}S)?|[0-9]{1,8}S))$',
}
const addressPattern = '[^<>@,;"\\x00-\\x1f]*<[^<>@,;"\\s]+@[^<>@,;"\\s]+>|[^<>@,;"\\s]+@[^<>@,;"\\s]+'
const address = { type: 'string', maxLength: 320, pattern: `^(${addressPattern})$`, patternErrorMessage: 'must be a mail address' }
const person = {
  type: 'string',
  maxLength: 320,
  pattern: `^(${addressPattern}|usr_[0-7][0-9a-hjkmnp-tv-z]{25})$`,
  patternErrorMessage: 'must be a mail address or the id of a user (usr_…)',
}
const role = {
  type: 'object',
  required: ['role'],
  additionalProperties: false,
  properties: { role: { enum: decidingRoles, description: 'All users with this role or a stronger one.' } },
}
const approvers = { type: 'array', minItems: 1, maxItems: 50, items: { anyOf: [person, role] } }

const answer = {
  type: 'object',
  required: ['by', 'decision', 'at', 'via'],
  additionalProperties: false,
  properties: {
    by: { type: 'string', description: 'Mail address of who answered.' },
    user: { type: 'string', description: 'Id of the user; absent for a person without a user.' },
    name: { type: 'string' },
    role: { type: 'string', description: 'The role as which they were asked, if it was one.' },
    decision: { enum: ['approve', 'reject'] },
    reason: { type: 'string' },
    data: { description: 'What they filled into the form.' },
    at: { type: 'string' },
    via: { enum: ['api', 'link'] },
  },
}

export const manifest: FunctionManifest = {
  name: 'approve',
  version: '1.0.0',
  summary: 'Asks people for their approval, and waits until they have decided.',
  performs: 'waiting',
  input: {
    type: 'object',
    required: ['title', 'approvers'],
    additionalProperties: false,
    properties: {
      title: {
        type: 'string',
        minLength: 1,
        maxLength: 200,
        pattern: '^[^\\x00-\\x1f\\x7f]*$',
        description: 'What is to be approved, in one line.',
      },
      description: { type: 'string', maxLength: 20_000, description: 'What there is to know for the decision, as Markdown.' },
      details: { description: 'Data that approvers see: any JSON.' },
      approvers: { ...approvers, description: 'Who is asked: mail addresses, ids of users, roles as { role: admin }.' },
      required: {
        anyOf: [{ type: 'integer', minimum: 1, maximum: 50 }, { const: 'all' }],
        description: 'How many have to approve; "all" for every entry of approvers. One unless given.',
      },
      veto: {
        anyOf: [{ type: 'boolean' }, { type: 'integer', minimum: 1, maximum: 50 }],
        description: 'After how many rejections it is rejected: true (the default) for one, false for when it cannot be approved any more.',
      },
      reason: { enum: ['reject', 'approve', 'both', 'none'], description: 'Which decisions need a reason. Rejections unless given.' },
      form: { type: 'object', description: 'JSON Schema of data that an approval must have; named choices are an enum in it.' },
      deadline: { ...duration, description: 'When it is decided without them, counted from the beginning, in ISO 8601: P2D.' },
      onDeadline: {
        enum: ['reject', 'approve', 'fail'],
        description: 'What the deadline does; fail raises a timeout error. Rejects unless given.',
      },
      escalation: {
        type: 'array',
        maxItems: 10,
        description: 'Steps until there is a decision.',
        items: {
          type: 'object',
          required: ['after'],
          anyOf: [{ required: ['approvers'] }, { required: ['notify'] }],
          additionalProperties: false,
          properties: {
            after: { ...duration, description: 'When, counted from the beginning.' },
            approvers: { ...approvers, description: 'Who is asked as well.' },
            replace: { type: 'boolean', description: 'True: in place of those who were asked so far.' },
            notify: {
              type: 'array',
              minItems: 1,
              maxItems: 50,
              items: address,
              description: 'Mail addresses that get a notice without a link.',
            },
          },
        },
      },
      excludeStarter: { type: 'boolean', description: 'The user who started the execution cannot decide. True unless given.' },
    },
  },
  output: {
    type: 'object',
    required: ['approved', 'outcome', 'answers', 'approval'],
    additionalProperties: false,
    properties: {
      approved: { type: 'boolean' },
      outcome: { enum: ['approved', 'rejected', 'expired'], description: 'expired: the deadline decided.' },
      data: { description: 'What was filled into the form with the answer that decided.' },
      details: { description: 'The details as they were shown to those who decided.' },
      answers: { type: 'array', items: answer, description: 'In the order in which they came.' },
      approval: { type: 'string', description: 'Id of the approval.' },
      decidedAt: { type: 'string' },
    },
  },
}
