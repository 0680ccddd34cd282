/**
 * Replies such as models write, for the figures of reading: short and long calls, code, short and long answers, each in
 * English and in Chinese. Each dialect writes them in its own form.
 */

const en = {
  thoughts: [
    'The user wants the ferry times for Saturday, and the timetable that I have is from last winter. I should look for the current one first.',
    'The two sources disagree about the height of the lock. The first counts from the sill, the second from the mean water level, so the difference of 1.4 m is no contradiction. What is still missing is the draught of the boat; the log of the last passage should hold it.',
  ],
  paragraphs: [
    'The bridge opens for boats on the hour between six in the morning and nine in the evening, except while the two commuter trains pass. Boats that arrive in between wait at the northern pontoon, where there is room for four of them.',
    'Three things decide whether the detour pays off: how high the water stands, whether the lock keeper is told an hour ahead, and what the wind does on the open stretch behind the island.',
    '- **Morning:** leave with the ebb, at the latest by 6:40.\n- **Noon:** wait behind the island; there is shade, and a café that opens at eleven.\n- **Evening:** the flood carries the boat home in less than two hours.',
    'I checked these figures against the harbour log ("entry 214") and the tide table; they agree to within five minutes. For the days after the full moon add about a quarter of an hour.',
    'The script that I used:\n\n```python\nfor day in days:\n    print(day, round(height(day), 2))\n```\n\nIt reads nothing but the table, so you can run it again next year.',
  ],
  code: [
    'import csv\nfrom collections import defaultdict\n\nheights = defaultdict(list)\nwith open("tides.csv", encoding="utf-8") as table:\n    for row in csv.DictReader(table):\n        # Some rows hold a dash where the gauge was out of order.\n        if row["height"] != "-":\n            heights[row["station"]].append(float(row["height"]))\n',
    'def describe(station, values):\n    low, high = min(values), max(values)\n    return f"{station}: {low:.2f} to {high:.2f} m, {len(values)} readings"\n\nfor station, values in sorted(heights.items()):\n    print(describe(station, values))\n',
  ],
};

const zh = {
  thoughts: [
    '用户想知道周六的轮渡时间，而我手里的时刻表还是去年冬天的。应该先查一下最新的版本。',
    '两份资料对船闸的高度说法不一。第一份从闸槛算起，第二份从平均水位算起，所以相差 1.4 米并不矛盾。现在还缺船的吃水深度，上次过闸的记录里应该有。',
  ],
  paragraphs: [
    '大桥每天早上六点到晚上九点逢整点为船只开放，只有两班通勤列车经过时除外。中间到达的船在北侧浮码头等候，那里最多可以停四条船。',
    '绕行是否划算取决于三件事：水位有多高，是否提前一小时通知了船闸管理员，以及小岛后面开阔水面上的风向。',
    '- **早上：**趁退潮出发，最晚不要超过 6:40。\n- **中午：**在小岛背后等候，那里有树荫，还有一家十一点开门的咖啡馆。\n- **傍晚：**涨潮会在两小时之内把船送回来。',
    '这些数字我和港口日志（“第 214 条”）以及潮汐表核对过，误差不超过五分钟。满月之后的几天，请再加上大约一刻钟。',
    '我用的脚本：\n\n```python\nfor day in days:\n    print(day, round(height(day), 2))\n```\n\n它只读取这张表，所以明年可以直接再运行一次。',
  ],
  code: [
    'import csv\nfrom collections import defaultdict\n\nheights = defaultdict(list)\nwith open("潮汐.csv", encoding="utf-8") as table:\n    for row in csv.DictReader(table):\n        # 有些行里是短横线，因为当时水位计坏了。\n        if row["高度"] != "-":\n            heights[row["站点"]].append(float(row["高度"]))\n',
    'def describe(station, values):\n    low, high = min(values), max(values)\n    return f"{station}：{low:.2f} 到 {high:.2f} 米，共 {len(values)} 条"\n\nfor station, values in sorted(heights.items()):\n    print(describe(station, values))\n',
  ],
};

export const tools = [
  'search',
  'read_file',
  'write_file',
  'execute',
  'clock',
  'calculator',
  'send_message',
  'list_files',
];
/** In the dialect `id` a tool is its number. */
const numberOf = (tool) => `T${String(tools.indexOf(tool) + 1).padStart(2, '0')}`;

/** So many paragraphs, beginning again where there are no more. */
const prose = ({ paragraphs }, count) =>
  Array.from({ length: count }, (_, index) => paragraphs[index % paragraphs.length]).join('\n\n');

function meantIn(texts) {
  const [short, long] = texts.thoughts;
  const [load, show] = texts.code;
  const filter = { stations: ['north', 'south'], from: '2026-05-01', limit: 20, exact: true };
  return {
    'short call': { thought: short, tool: 'search', input: { query: texts.thoughts[0].slice(0, 24) } },
    call: { thought: long, tool: 'list_files', input: { folder: '/logs/2026', filter, note: texts.paragraphs[1] } },
    'long call': { thought: long, tool: 'write_file', input: { path: '/report.md', text: prose(texts, 12) } },
    code: { thought: short, tool: 'execute', code: load + show },
    'long code': { thought: long, tool: 'execute', code: load + show.repeat(12) },
    'short answer': { thought: short, answer: texts.paragraphs[0] },
    answer: { thought: long, answer: prose(texts, 5) },
    'long answer': { thought: long, answer: prose(texts, 30) },
  };
}

/**
 * `{ kind, text, call }`: what is meant, the text of the reply, and the provider's own call beside it, or null.
 *
 * @param {{ name: string, form: { call: Function, answer: Function } }} dialect
 */
export function repliesIn(dialect) {
  return [en, zh].flatMap((texts, index) => {
    const language = ['English', 'Chinese'][index];
    return Object.entries(meantIn(texts)).map(([kind, meant]) => ({ kind, language, ...written(dialect, meant) }));
  });
}

function written({ name, form }, { thought, tool, input, code, answer }) {
  if (answer !== undefined) return { text: form.answer(thought, answer), call: null };
  const value = code === undefined ? input : { code };
  if (name === 'native') return { text: thought, call: { tool, input: JSON.stringify(value) } };
  if (code !== undefined && asCode[name] !== undefined) return { text: asCode[name](thought, tool, code), call: null };
  return { text: form.call(thought, name === 'id' ? numberOf(tool) : tool, value), call: null };
}

/** Code as models write it where nothing forces it into a string of JSON. */
const asCode = {
  labelled: (thought, tool, code) => `Thought: ${thought}\nAction: ${tool}\nAction Input:\n\`\`\`python\n${code}\`\`\``,
  paper: (thought, tool, code) => `Thought: ${thought}\nAction: ${tool}[\`\`\`python\n${code}\`\`\`]`,
  tags: (thought, tool, code) => `<thought>${thought}</thought>\n<${tool}>\n${code}</${tool}>`,
};
