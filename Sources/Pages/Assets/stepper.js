"use strict";
(() => {
  const map = () => Object.create(null);
  /* Text is only ever set as text, so that no name and no value can become markup. */
  function make(tag, attributes = {}, ...children) {
    const node = tag === "svg" || tag === "path" || tag === "circle"
      ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== null) node.setAttribute(name, value);
    node.append(...children.flat());
    return node;
  }
  const key = object => object.slice(object.lastIndexOf("/") + 1);
  const entity = object => object.slice(0, object.lastIndexOf("/"));
  const numberOf = object => Number(key(object).slice(1));
  const note = (text, columns = 1) => make("tr", {}, make("td", { colspan: columns, class: "nil" }, text));
  /* A table that can be scrolled can be reached by the keyboard. */
  const scrolling = (isStill, name, ...parts) => make("div", {
    class: "table" + (isStill ? " still" : ""), tabindex: 0, role: "region", "aria-label": name
  }, make("table", {}, ...parts));
  const passes = ["create instances", "create relationships", "validate"];
  const rowsShown = 30;
  /* Of a long list, the part around an element. */
  const around = (list, index) => list.slice(Math.max(0, Math.min(index - 5, list.length - rowsShown))).slice(0, rowsShown);

  function text(value, kind) {
    if (value === null) return "nil";
    if (kind === "many" && value.first) return `${value.first.map(key).join(" ")} … ${value.count} objects`;
    if (kind === "many") return value.length ? value.map(key).join(" ") : "∅";
    if (kind === "one") return key(value);
    if (typeof value === "boolean") return value ? "YES" : "NO";
    if (typeof value !== "object") return String(value);
    if (value.text !== undefined) return `${value.text}… (${value.bytes} bytes)`;
    if (value.type === "text") return `(text, ${value.bytes} B)`;
    if (value.type !== undefined) return `(${value.type})`;
    if (value.externalFile !== undefined) return `external file ${value.externalFile}`;
    return value.bytes === undefined ? JSON.stringify(value) : `${value.bytes} bytes`;
  }

  function Stepper(root, number) {
    const data = JSON.parse(root.querySelector("script").textContent), frames = data.frames;
    const answered = {}, parts = {};
    let at = 0, pending = 0, asked = null, isAsking = data.asks;
    for (const node of root.querySelectorAll("[data-part]")) parts[node.dataset.part] = node;

    /* The state at a frame: everything that was recorded up to it. */
    function state(index) {
      const hop = frames[index].hop, now = { rows: map(), pairs: [], schema: map(), counts: map(), pairsLeft: map() };
      for (const [name, sql] of data.hops[hop].schema) now.schema[name] = sql;
      for (const frame of frames.slice(frames.findIndex(other => other.hop === hop), index + 1)) {
        for (const row of frame.rows || []) if (row.length > 1) now.rows[row[0]] = row; else delete now.rows[row[0]];
        now.pairs.push(...frame.pairs || []);
        for (const [mapping, source, part] of frame.unpaired || []) {
          now.pairs = now.pairs.filter(pair => pair[0] !== mapping || pair[1] !== source || pair[3] !== part);
        }
        Object.assign(now.counts, frame.counts);
        for (const [name, count] of Object.entries(frame.pairsLeft || {})) {
          now.pairsLeft[`${frame.of} ${name}`] = (now.pairsLeft[`${frame.of} ${name}`] || 0) + count;
        }
        for (const [name, sql] of frame.schema || []) if (sql === null) delete now.schema[name]; else now.schema[name] = sql;
      }
      return now;
    }

    /* The rows of one entity; of a long table those around the first marked one. */
    function table(side, name, columns, rows, total, marks) {
      const kind = id => marks.made[id] ? "made" : marks.used[id] ? "used" : marks.changed[id] ? "lit" : null;
      const marked = rows.findIndex(row => kind(row[0])), shown = around(rows, marked);
      const body = shown.map(([id, ...values]) => make("tr", { class: kind(id), id: `${number}${side}-${id}` },
        make("th", { scope: "row" }, key(id)), columns.map(([column, type], index) => make("td", {
          class: (marks.changed[id] || []).includes(column) ? "changed"
            : values[index] === null || values[index].length === 0 ? "nil" : null
        }, text(values[index], type)))));
      if (total > shown.length) body.push(note(`${total - shown.length} more`, columns.length + 1));
      else if (!rows.length) body.push(note("no objects", columns.length + 1));
      return scrolling(marked < 0, (side === "s" ? "old store, " : "new store, ") + name,
        make("caption", {}, name),
        make("thead", {}, make("tr", {}, ["key", ...columns.map(column => column[0])].map(title => make("th", { scope: "col" }, title)))),
        make("tbody", {}, body));
    }

    function side(name, hop, rows, counts, title, marks) {
      const groups = map();
      for (const row of rows) (groups[entity(row[0])] = groups[entity(row[0])] || []).push(row);
      return make("div", { class: name === "source" ? "old" : "new" }, make("h2", {}, title),
        Object.entries(hop.columns[name]).map(([owner, columns]) => table(
          name === "source" ? "s" : "d", owner, columns,
          (groups[owner] || []).sort((a, b) => numberOf(a[0]) - numberOf(b[0])), counts[owner] || 0, marks)));
    }

    function associations(hop, now, wires) {
      const part = frames[at].part, isLit = pair => wires.some(wire => wire.join() === pair.join());
      return make("div", { class: "pairs" }, make("h2", {}, "Association tables" + (hop.parts > 1 ? " of part " + part : "")),
        hop.mappings.filter(mapping => mapping[2] === part).map(([name, hasPolicy]) => {
          const own = now.pairs.filter(pair => pair[0] === name && pair[3] === part).sort((a, b) => numberOf(a[1]) - numberOf(b[1]));
          const first = own.findIndex(isLit), shown = around(own, first < 0 ? own.length : first);
          const body = shown.map(pair => make("tr", { class: isLit(pair) ? "used" : null, id: `${number}a-${pair.join("-")}` },
            [pair[1], "→", pair[2]].map(cell => make("td", {}, cell))));
          const left = own.length - shown.length + (now.pairsLeft[`${part} ${name}`] || 0);
          if (left) body.push(note(`${left} more`, 3)); else if (!body.length) body.push(note("empty"));
          return scrolling(first < 0, "association table " + name, make("caption", {}, name + (hasPolicy ? " ⚙" : "")), make("tbody", {}, body));
        }));
    }

    /* Lines from the old row to the pair and from the pair to the new row. */
    function connect(wires) {
      const box = parts.sides.getBoundingClientRect(), drawing = make("svg", { "aria-hidden": "true" });
      function end(node, isRight) {
        const place = node.getBoundingClientRect(), frame = node.closest(".table").getBoundingClientRect();
        return [(isRight ? Math.min(place.right, frame.right) : Math.max(place.left, frame.left)) - box.left,
          place.top + place.height / 2 - box.top];
      }
      for (const wire of wires) {
        const nodes = ["s-" + wire[1], "a-" + wire.join("-"), "d-" + wire[2]].map(id => document.getElementById(number + id));
        for (const [from, to] of [nodes.slice(0, 2), nodes.slice(1)]) {
          if (!from || !to) continue;
          const a = end(from, true), b = end(to, false);
          drawing.append(make("path", { d: `M${a} C${a[0] + 20},${a[1]} ${b[0] - 20},${b[1]} ${b}` }),
            ...[a, b].map(([x, y]) => make("circle", { cx: x, cy: y, r: 3 })));
        }
      }
      parts.sides.append(drawing);
    }

    function schemaView(schema, changes) {
      const names = changes.map(change => change[0]);
      const rest = Object.keys(schema).filter(name => !names.includes(name)).sort();
      return make("div", {}, make("h2", {}, "Schema"),
        changes.map(([name, after, before]) => make("div", {}, make("h3", {}, name),
          before ? make("pre", { class: "before" }, before) : [], after ? make("pre", { class: "after" }, after) : [])),
        make("details", {}, make("summary", {}, changes.length ? "the rest of the schema" : "the schema"),
          make("pre", {}, rest.map(name => schema[name]).join("\n") || "empty")));
    }

    /* The passes of each hop with their entity mappings, each with its first and last frame. */
    const ribbons = data.hops.map((hop, number) => {
      const groups = [];
      frames.forEach((frame, index) => {
        if (frame.hop !== number || !frame.segment) return;
        const title = !frame.pass ? "In place"
          : `${hop.parts > 1 ? `Part ${frame.part}, pass ` : "Pass "}${frame.pass}: ${passes[frame.pass - 1]}`;
        if (groups.at(-1)?.title !== title) groups.push({ title, segments: [] });
        const segments = groups.at(-1).segments;
        if (segments.at(-1)?.name !== frame.segment) segments.push({ name: frame.segment, index });
        segments.at(-1).end = index;
      });
      return groups;
    });
    function drawRibbon() {
      const isOn = segment => at >= segment.index && at <= segment.end;
      const hops = data.hops.map((hop, index) => {
        const isCurrent = index === frames[at].hop;
        const button = make("button", { type: "button", class: isCurrent ? "on" : null, "aria-current": isCurrent ? "true" : null },
          `hop ${index + 1} of ${data.hops.length}: ${hop.from} → ${hop.to}`);
        button.addEventListener("click", () => go(frames.findIndex(frame => frame.hop === index)));
        return button;
      });
      parts.ribbon.replaceChildren(...hops.length > 1 ? [make("div", { class: "hops" }, make("span", {}, hops))] : [],
        ...ribbons[frames[at].hop].map(group => make("div", { class: group.segments.some(isOn) ? "on" : null },
        make("b", {}, group.title), make("span", {}, group.segments.map(segment => {
          const button = make("button", {
            type: "button", title: segment.name, "aria-label": `${group.title}, ${segment.name}`,
            class: isOn(segment) ? "on" : null, "aria-current": isOn(segment) ? "step" : null
          }, segment.name);
          button.addEventListener("click", () => go(segment.index));
          return button;
        })))));
    }

    function draw() {
      const frame = frames[at], hop = data.hops[frame.hop], now = state(at), wires = frame.wires || [];
      const flags = objects => Object.fromEntries(objects.map(object => [object, true]));
      const marks = { made: flags(frame.made || []), used: flags([...wires.map(wire => wire[2]), frame.subject]), changed: map() };
      for (const [object, column] of frame.changed || []) (marks.changed[object] = marks.changed[object] || []).push(column);
      const used = { made: {}, used: flags([...wires.map(wire => wire[1]), ...frame.used || []]), changed: {} };
      const title = hop.isInPlace ? ["The store, with ", "The store, with "] : ["Old store: ", "New store: "];
      const source = side("source", hop, data.sources[frame.hop], hop.counts, title[0] + hop.from, used);
      const destination = side("destination", hop, Object.values(now.rows), now.counts, title[1] + hop.to, marks);
      parts.sides.className = "sides" + (hop.isInPlace ? " place" : "");
      parts.sides.replaceChildren(...hop.isInPlace
        ? [schemaView(now.schema, frame.schema || []), frame.isReadable ? destination : source]
        : [source, associations(hop, now, wires), destination]);
      if (!parts.sides.querySelector("tr.made, tr.used, tr.lit")) parts.sides.classList.add("calm");
      for (const cell of parts.sides.querySelectorAll("td.changed")) {
        cell.closest(".table").scrollLeft = cell.offsetLeft + cell.offsetWidth - cell.closest(".table").clientWidth;
      }
      if (!hop.isInPlace) connect(wires);
      const did = frame.did.join("; ") || (at ? frame.left || "Nothing happened in this step." : "The beginning.");
      parts.said.replaceChildren(make("p", {}, make("b", {}, frame.mark ? `#${frame.mark} ` : ""), did),
        ...frame.why.length ? [make("ul", {}, frame.why.map(line => make("li", {}, line)))] : [],
        ...frame.left && frame.did.length ? [make("p", {}, frame.left)] : [],
        make("p", { class: "next" }, make("b", {}, "Next: "), `${frame.place}. ${frame.next.join(" ")}`));
      parts.sql.parentNode.querySelector("summary").textContent = `SQL of this step (${frame.sql.length})`;
      parts.sql.replaceChildren(...frame.sql.map(([store, isOwn, index]) =>
        make("span", { class: isOwn ? "own" : null }, `${store}: ${data.statements[index]}\n`)));
      drawRibbon();
      parts.slider.value = at;
      parts.slider.setAttribute("aria-valuetext", `step ${at}, ${frame.place}`);
      parts.count.textContent = `${at} / ${frames.length - 1}`;
      parts.back.disabled = parts.first.disabled = at === 0;
      parts.step.disabled = at === frames.length - 1;
    }

    function go(index) {
      parts.question.hidden = true;
      asked = null;
      at = Math.max(0, Math.min(frames.length - 1, index));
      draw();
      /* Browsers slow down a page that changes its address with every key that is held. */
      clearTimeout(pending);
      pending = setTimeout(() => history.replaceState(null, "", `#${number > 1 ? `${number}-` : ""}${at}`), 200);
    }
    function forward() {
      const question = frames[at + 1]?.question;
      if (isAsking && question && !answered[at + 1] && asked !== at + 1) ask(at + 1, question); else go(at + 1);
    }
    function ask(index, question) {
      asked = index;
      const why = make("p", { role: "status" });
      const buttons = question.choices.map((choice, chosen) => {
        const button = make("button", { type: "button" }, choice);
        button.addEventListener("click", () => {
          answered[index] = true;
          go(index);
          parts.question.hidden = false;
          buttons.forEach((other, place) => {
            other.disabled = true;
            other.className = place === question.right ? "right" : place === chosen ? "wrong" : "";
          });
          why.textContent = (chosen === question.right ? "Right. " : "No. ") + question.why;
          parts.step.focus({ preventScroll: true });
          parts.question.scrollIntoView({ block: "nearest" });
        });
        return button;
      });
      parts.question.replaceChildren(make("p", {}, make("b", {}, "What do you expect? "), question.text), ...buttons, why);
      parts.question.hidden = false;
      buttons[0].focus({ preventScroll: true });
      parts.question.scrollIntoView({ block: "nearest" });
    }
    /* To the next or previous frame for which the name differs. */
    function skip(direction, name) {
      const start = name(frames[at]);
      let index = at;
      do index += direction; while (index > 0 && index < frames.length - 1 && name(frames[index]) === start);
      go(index);
    }
    const segment = frame => [frame.hop, frame.part, frame.pass, frame.segment].join();
    const pass = frame => [frame.hop, frame.part, frame.pass].join();

    parts.slider.max = frames.length - 1;
    parts.first.addEventListener("click", () => go(0));
    parts.back.addEventListener("click", () => go(at - 1));
    parts.step.addEventListener("click", forward);
    parts.slider.addEventListener("input", () => go(Number(parts.slider.value)));
    this.keys = event => {
      const isSlider = event.target === parts.slider, box = event.target;
      if (box.classList.contains("table") && box.scrollWidth > box.clientWidth && /^Arrow/.test(event.key)) return;
      if (event.key === "ArrowRight" && !isSlider) { if (event.shiftKey) skip(1, segment); else forward(); }
      else if (event.key === "ArrowLeft" && !isSlider) { if (event.shiftKey) skip(-1, segment); else go(at - 1); }
      else if (event.key === "PageDown") skip(1, pass);
      else if (event.key === "PageUp") skip(-1, pass);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(frames.length - 1);
      else if (event.key === "q") isAsking = !isAsking;
      else if (/^[1-9]$/.test(event.key) && !parts.question.hidden) parts.question.querySelectorAll("button")[event.key - 1]?.click();
      else return;
      event.preventDefault();
    };
    Object.assign(this, { go, redraw: draw, state: () => ({ frame: frames[at], now: state(at) }) });
    root.classList.remove("hidden");
    draw();
  }

  document.documentElement.className = "scripted";
  const steppers = [...document.querySelectorAll(".stepper")].map((root, index) => {
    root.addEventListener("focusin", () => { current = index; });
    return new Stepper(root, index + 1);
  });
  let current = 0;
  if (steppers.length === 1) document.documentElement.className += " single";
  window.strata = steppers;
  function follow() {
    const found = location.hash.match(/^#(?:(\d+)-)?(\d+)$/);
    if (!found) return;
    current = Math.min(steppers.length, Math.max(1, Number(found[1] || 1))) - 1;
    steppers[current].go(Number(found[2]));
  }
  follow();
  addEventListener("hashchange", follow);
  addEventListener("keydown", event => {
    /* In a notebook, keys outside the steppers scroll the page. */
    if (steppers.length > 1 && !event.target.closest(".stepper")) return;
    if (!event.altKey && !event.ctrlKey && !event.metaKey) steppers[current].keys(event);
  });
  addEventListener("resize", () => steppers.forEach(stepper => stepper.redraw()));
})();
