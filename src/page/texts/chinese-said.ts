/** What the page says, in Chinese, of what is not there: of events that are missing or cut, and of decisions that were not taken. */
import type { RefusalCode } from '../../observe/inspect/wire.ts';
import type { englishSaid, Said } from './english-said.ts';

const byPage = '检查器的页面会自行完成这些请求：请重新打开程序给出的地址。';

const refusals: Readonly<Record<RefusalCode, Said>> = {
  not_awaiting: { message: '此调用并不在等待决定，或者已经决定。', hint: '请查看正在等待的调用。' },
  run_over: { message: '运行已结束：不能再作决定。', hint: '请查看它的结局。' },
  looking_only: {
    message: '此运行只供查看。',
    hint: '程序用 inspector.watch(run, { decidable: true }) 才允许在页面上决定。',
  },
  not_seen: {
    message: '运行过大，页面没有此调用的全部内容：没有人可以批准自己看不到的内容。',
    hint: '请在此拒绝或中止运行，在程序中用 run.approve 决定，或为检查器设置更大的 mostBytesPerRun。',
  },
  redacted: {
    message: '编辑后的输入仍含有 [redacted]，它代表一个秘密。',
    hint: '请写入实际要执行的内容，或按原样批准：那时会使用秘密本身。',
  },
  unusable: { message: '运行无法使用此决定；调用仍在等待。', hint: '请修改后重试。' },
  no_decision: { message: '这不是一个决定。', hint: byPage },
  too_long: { message: '决定过长。', hint: '请缩短输入后重试。' },
  forbidden: { message: '服务器拒绝了此页面：令牌或来源不对。', hint: '请完整打开程序给出的地址，包括令牌。' },
  not_found: { message: '这里什么都没有。', hint: byPage },
  run_gone: { message: '检查器不再保留此运行。', hint: '请从列表中选择另一个运行。' },
  wrong_method: { message: '此地址不接受这种请求。', hint: byPage },
  wrong_type: { message: '决定必须是 application/json。', hint: byPage },
  wrong_place: { message: '没有那么多事件。', hint: '请重新载入页面。' },
  too_many_pages: { message: '打开的页面过多。', hint: '请关闭一些页面。' },
  defect: { message: '这是检查器自身的缺陷。', hint: '请报告。' },
};

export const chineseSaid: typeof englishSaid = {
  noBeginning: '缺少开头的运行',
  noBeginningNote: (count) =>
    `此运行的开头不在这里：缺少 ${count} 个事件。任务与上限未知，各项计数从现有事件的开头算起。`,
  missing: (count) => `此记录缺少 ${count} 个事件。`,
  lost: (count) => `检查器容纳不下整个运行：未保留 ${count} 个事件。`,
  countsLack: '各项计数不包括它们。',
  cut: (count) => `有 ${count} 个事件的长文本被截断：其中并非全部内容。`,
  incomplete: '不完整',
  incompleteHint: (count) => `缺少 ${count} 个事件：各项计数不包括它们`,
  stepLacks: '此步骤缺少事件',
  gaugeLacks: '缺少事件：实际可能更多',
  unknownLimit: '上限未知',

  oddEvents: (id) => `服务器发来的事件编号为 ${id}`,
  refusal(objection) {
    if (objection.code === 'unreachable')
      return { message: '无法连接服务器。', hint: '请确认程序仍在运行，然后重试。' };
    if (objection.code === 'answered')
      return { message: `服务器的应答为 ${objection.status}。`, hint: '请重新打开程序给出的地址。' };
    // A server of a later version may know other words.
    if (!Object.hasOwn(refusals, objection.code)) return objection;
    const said = refusals[objection.code];
    // What is wrong with it only the server can tell.
    return objection.code === 'unusable' ? { ...said, hint: `${said.hint}（${objection.message}）` } : said;
  },
};
