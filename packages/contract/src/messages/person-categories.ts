/** What the categories of the data of a person are called for people, in English and in Arabic. */
const names: Readonly<Record<string, readonly [english: string, arabic: string]>> = {
  executions: ['Runs', 'عمليات التشغيل'],
  journal: ['Steps of runs', 'خطوات عمليات التشغيل'],
  'execution labels': ['Labels of runs', 'تسميات عمليات التشغيل'],
  'execution keys': ['Keys of runs', 'مفاتيح عمليات التشغيل'],
  'execution retries': ['Repeated runs', 'عمليات تشغيل معادة'],
  'dead letters': ['Dead letters', 'رسائل لم تُعالَج'],
  'attempt logs': ['Logs of steps', 'سجلات الخطوات'],
  events: ['Events', 'الأحداث'],
  'kept events': ['Kept events', 'أحداث محفوظة'],
  listeners: ['Waits for events', 'انتظار الأحداث'],
  messages: ['Messages to runs', 'رسائل إلى عمليات التشغيل'],
  'event deliveries': ['Deliveries of events', 'تسليم الأحداث'],
  'account changes': ['Recent changes', 'تغييرات حديثة'],
  'webhook deliveries': ['Requests to webhooks and forms', 'طلبات الخطافات والنماذج'],
  'trigger event sets': ['Collected events', 'أحداث مجمّعة'],
  'trigger firings': ['Due starts', 'عمليات بدء مستحقة'],
  approvals: ['Approvals', 'الموافقات'],
  'approval answers': ['Answers of approvals', 'إجابات الموافقات'],
  'approval mails': ['Mails of approvals', 'رسائل الموافقات'],
  'agent runs': ['Agent runs', 'عمليات تشغيل الوكلاء'],
  'assistant conversations': ['Conversations', 'المحادثات'],
  'assistant messages': ['Messages of conversations', 'رسائل المحادثات'],
  'assistant email drafts': ['Drafts of mails', 'مسودات الرسائل'],
  'assistant proposals': ['Proposals of the assistant', 'اقتراحات المساعد'],
  'model calls': ['Calls of models', 'استدعاءات النماذج'],
  'data rows': ['Rows of tables', 'صفوف الجداول'],
  'data row calls': ['Writes to tables', 'عمليات الكتابة في الجداول'],
  'data tables': ['Tables', 'الجداول'],
  'account files': ['Files', 'الملفات'],
  'attached files': ['Attached files', 'ملفات مرفقة'],
  'capture sessions': ['Recordings', 'التسجيلات'],
  'capture events': ['Recorded steps', 'خطوات مسجّلة'],
  notifications: ['Notifications', 'الإشعارات'],
  'audit events': ['Audit log', 'سجل التدقيق'],
  'audit changes': ['Changes in the audit log', 'التغييرات في سجل التدقيق'],
  users: ['Users', 'المستخدمون'],
  'user phones': ['Phones of users', 'هواتف المستخدمين'],
  sessions: ['Sign-ins', 'جلسات الدخول'],
  invitations: ['Invitations', 'الدعوات'],
  'mail links': ['Links in mails', 'روابط الرسائل'],
  workflows: ['Workflows', 'مسارات العمل'],
  'workflow versions': ['Versions of workflows', 'إصدارات مسارات العمل'],
  'workflow drafts': ['Drafts of workflows', 'مسودات مسارات العمل'],
  'workflow samples': ['Samples of workflows', 'عينات مسارات العمل'],
  triggers: ['Starts of workflows', 'طرق بدء مسارات العمل'],
  variables: ['Variables', 'المتغيرات'],
  connections: ['Connections', 'الاتصالات'],
  'event subscriptions': ['Subscriptions', 'الاشتراكات'],
  'privacy decisions': ['Privacy decisions', 'قرارات الخصوصية'],
  'privacy policies': ['Privacy policies', 'سياسات الخصوصية'],
  'privacy erasures': ['Erasures', 'عمليات المحو'],
  consents: ['Consents', 'الموافقات على المعالجة'],
  invoices: ['Invoices', 'الفواتير'],
  einvoices: ['E-invoices', 'الفواتير الإلكترونية'],
  leads: ['Requests from public forms', 'طلبات النماذج العامة'],
  'dev outbox': ['Mails shown in development', 'رسائل تُعرض في التطوير'],
}

/** A category without a name of its own keeps that of the table. */
export function personCategoryName(category: string, locale: 'en' | 'ar'): string {
  return names[category]?.[locale === 'ar' ? 1 : 0] ?? category
}

/** Why records are kept, in Arabic, by the English text of the API. */
const reasons: Readonly<Record<string, string>> = {
  'Belongs to a user of the account: delete the user.': 'يخص مستخدمًا في الحساب: احذف المستخدم.',
  'Invoices and payments are kept by law.': 'تُحفظ الفواتير والمدفوعات بحكم النظام.',
  'Proof of a consent.': 'إثبات موافقة.',
  'Proof of who did what in the account.': 'إثبات من فعل ماذا في الحساب.',
  'Part of a definition or a setting: change it there, and delete the versions that contain it.':
    'جزء من تعريف أو إعداد: غيّره هناك، واحذف الإصدارات التي تحتويه.',
  'The name of a file: upload it under another name, and delete this one.': 'اسم ملف: ارفعه باسم آخر، واحذف هذا.',
  'The name of a table: delete the table, or keep its rows in another one.': 'اسم جدول: احذف الجدول، أو احفظ صفوفه في جدول آخر.',
  'The execution has not ended.': 'لم تنتهِ عملية التشغيل.',
  'It is being prepared.': 'قيد الإعداد.',
  'The form of the record does not allow to replace the data: delete it.': 'شكل السجل لا يسمح باستبدال البيانات: احذفه.',
  'In the content of files: delete them, or replace them.': 'في محتوى ملفات: احذفها أو استبدلها.',
}

/** A reason of the API as people read it. One without a translation stays in English. */
export function personReason(reason: string, locale: 'en' | 'ar'): string {
  return locale === 'ar' ? (reasons[reason] ?? reason) : reason
}
