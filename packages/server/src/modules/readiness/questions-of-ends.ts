import type { Dimension } from './model.ts'

export const strategyDimension: Dimension = {
  id: 'strategy',
  title: { en: 'Strategy and leadership', ar: 'الاستراتيجية والقيادة' },
  weight: 15,
  questions: [
    {
      id: 'strategy.goals',
      text: {
        en: 'We have written goals for digital work, with figures and dates.',
        ar: 'لدينا أهداف مكتوبة للعمل الرقمي بأرقام ومواعيد.',
      },
      step: { en: 'Write three goals with a figure and a date each.', ar: 'اكتب ثلاثة أهداف لكل منها رقم وموعد.' },
      weight: 3,
    },
    {
      id: 'strategy.owner',
      text: { en: 'One person with authority is responsible for automation.', ar: 'هناك شخص واحد ذو صلاحية مسؤول عن الأتمتة.' },
      step: { en: 'Name a person who decides what is automated next.', ar: 'عيّن شخصًا يقرر ما يُؤتمت لاحقًا.' },
      weight: 2,
    },
    {
      id: 'strategy.budget',
      text: { en: 'Automation has a budget of its own.', ar: 'للأتمتة ميزانية خاصة بها.' },
      step: { en: 'Reserve a part of the yearly budget, and report what it saved.', ar: 'خصّص جزءًا من الميزانية السنوية وأبلغ عمّا وفّره.' },
      weight: 1,
    },
    {
      id: 'strategy.results',
      text: { en: 'We measure what automation saves or earns.', ar: 'نقيس ما توفره الأتمتة أو تكسبه.' },
      step: { en: 'Send a weekly report of automated cases and saved hours.', ar: 'أرسل تقريرًا دوريًا بالحالات المؤتمتة والساعات الموفرة.' },
      weight: 2,
      templates: ['daily-report'],
    },
  ],
}

export const processesDimension: Dimension = {
  id: 'processes',
  title: { en: 'Processes', ar: 'العمليات' },
  weight: 25,
  questions: [
    {
      id: 'processes.documented',
      text: { en: 'Our most frequent processes are written down as they really are.', ar: 'أكثر عملياتنا تكرارًا موثقة كما هي فعلًا.' },
      step: { en: 'Write down the five most frequent processes, with their exceptions.', ar: 'وثّق أكثر خمس عمليات تكرارًا مع استثناءاتها.' },
      weight: 3,
    },
    {
      id: 'processes.orders',
      text: { en: 'Orders and requests are processed without retyping.', ar: 'تُعالج الطلبات دون إعادة كتابة البيانات.' },
      step: { en: 'Automate the way of an order from its arrival to its delivery.', ar: 'أتمت مسار الطلب من وصوله إلى تسليمه.' },
      weight: 3,
      templates: ['order-processing', 'order-checks'],
    },
    {
      id: 'processes.invoices',
      text: { en: 'Invoices are made, sent and booked automatically.', ar: 'تُنشأ الفواتير وتُرسل وتُقيّد آليًا.' },
      step: { en: 'Make invoices from data, as structured e-invoices.', ar: 'أنشئ الفواتير من البيانات كفواتير إلكترونية منظمة.' },
      weight: 2,
      templates: ['invoice', 'invoice-batch'],
    },
    {
      id: 'processes.approvals',
      text: { en: 'Approvals have a deadline, a deputy and a record.', ar: 'للموافقات موعد نهائي وبديل وسجل.' },
      step: { en: 'Move approvals from mail to a process with a deadline.', ar: 'انقل الموافقات من البريد إلى عملية لها موعد نهائي.' },
      weight: 2,
      templates: ['answer-in-time'],
    },
    {
      id: 'processes.failures',
      text: { en: 'A failed step is noticed, retried and continued without loss.', ar: 'تُكتشف الخطوة الفاشلة وتُعاد وتُستكمل دون فقد.' },
      step: {
        en: 'Add retries and compensation to the process that fails most.',
        ar: 'أضف إعادة المحاولة والتعويض إلى العملية الأكثر فشلًا.',
      },
      weight: 2,
      templates: ['call-with-retry', 'trip-booking'],
    },
  ],
}
