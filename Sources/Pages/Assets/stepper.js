"use strict";
(function () {
  /* Text is only ever set as text, so that no name and no value can become markup. */
  function make(tag, attributes, children) {
    var node = document.createElement(tag);
    Object.keys(attributes || {}).forEach(function (name) {
      if (attributes[name] !== null) node.setAttribute(name, attributes[name]);
    });
    (children || []).forEach(function (child) {
      node.appendChild(typeof child === "string" ? document.createTextNode(child) : child);
    });
    return node;
  }
  function replace(node, children) {
    while (node.firstChild) node.removeChild(node.firstChild);
    children.forEach(function (child) { node.appendChild(child); });
  }
  function entity(object) { return object.slice(0, object.lastIndexOf("/")); }
  function numberOf(object) { return Number(key(object).slice(1)); }
  function key(object) { return object.slice(object.lastIndexOf("/") + 1); }
  var passes = ["create instances", "create relationships", "validate"];
  var rowsShown = 30;

  function Stepper(root, number) {
    var data = JSON.parse(root.querySelector("script").textContent);
    var frames = data.frames, at = 0, pending = 0, answered = {}, isAsking = data.asks;
    var parts = {};
    ["ribbon", "first", "back", "slider", "count", "step", "said", "question", "sides", "sql"].forEach(function (name) {
      parts[name] = root.querySelector("[data-part=" + name + "]");
    });

    /* The state at a frame: everything that was recorded up to it. */
    function state(index) {
      var hop = frames[index].hop, rows = Object.create(null), pairs = [], schema = Object.create(null);
      var counts = Object.create(null), pairsLeft = Object.create(null);
      (data.hops[hop].schema || []).forEach(function (item) { schema[item[0]] = item[1]; });
      var start = index;
      while (start > 0 && frames[start - 1].hop === hop) start -= 1;
      for (var i = start; i <= index; i++) {
        var frame = frames[i];
        (frame.rows || []).forEach(function (row) {
          if (row.length > 1) rows[row[0]] = row; else delete rows[row[0]];
        });
        (frame.pairs || []).forEach(function (pair) { pairs.push(pair); });
        (frame.unpaired || []).forEach(function (lost) {
          pairs = pairs.filter(function (pair) { return pair[0] !== lost[0] || pair[1] !== lost[1] || pair[3] !== lost[2]; });
        });
        Object.keys(frame.counts || {}).forEach(function (name) { counts[name] = frame.counts[name]; });
        Object.keys(frame.pairsLeft || {}).forEach(function (name) { pairsLeft[frame.of + " " + name] = (pairsLeft[frame.of + " " + name] || 0) + frame.pairsLeft[name]; });
        (frame.schema || []).forEach(function (item) {
          if (item[1] === null) delete schema[item[0]]; else schema[item[0]] = item[1];
        });
      }
      return { rows: rows, pairs: pairs, schema: schema, counts: counts, pairsLeft: pairsLeft };
    }

    function text(value, kind) {
      if (value === null) return "nil";
      if (kind === "many" && value.first) return value.first.map(key).join(" ") + " … " + value.count + " objects";
      if (kind === "many") return value.length ? value.map(key).join(" ") : "∅";
      if (kind === "one") return key(value);
      if (value === true) return "YES";
      if (value === false) return "NO";
      if (typeof value !== "object") return String(value);
      if (value.text !== undefined) return value.text + "… (" + value.bytes + " bytes)";
      if (value.type === "text") return "(text, " + value.bytes + " B)";
      if (value.type !== undefined) return "(" + value.type + ")";
      if (value.externalFile !== undefined) return "external file " + value.externalFile;
      return value.bytes === undefined ? JSON.stringify(value) : value.bytes + " bytes";
    }

    /* The rows of one entity; of a long table those around the first marked one. */
    function table(side, name, columns, rows, total, marks) {
      var marked = rows.findIndex(function (row) { return marks.made[row[0]] || marks.used[row[0]] || marks.changed[row[0]]; });
      var from = rows.length > rowsShown ? Math.max(0, Math.min(marked - 5, rows.length - rowsShown)) : 0;
      var shown = rows.slice(from, from + rowsShown);
      var left = total - shown.length;
      var body = shown.map(function (row) {
        var changed = marks.changed[row[0]] || [];
        return make("tr", {
          "class": marks.made[row[0]] ? "made" : marks.used[row[0]] ? "used" : marks.changed[row[0]] ? "lit" : null, id: number + side + "-" + row[0]
        }, [make("th", { scope: "row" }, [key(row[0])])].concat(columns.map(function (column, index) {
          var value = row[index + 1], isEmpty = value === null || value.length === 0;
          return make("td", {
            "class": changed.indexOf(column[0]) >= 0 ? "changed" : isEmpty ? "nil" : null
          }, [text(value, column[1])]);
        })));
      });
      if (left > 0) body.push(make("tr", {}, [make("td", { colspan: columns.length + 1, "class": "nil" }, [left + " more"])]));
      if (!rows.length && left <= 0) body.push(make("tr", {}, [make("td", { colspan: columns.length + 1, "class": "nil" }, ["no objects"])]));
      return scrolling(make("table", {}, [
        make("caption", {}, [name]),
        make("thead", {}, [make("tr", {}, [make("th", { scope: "col" }, ["key"])].concat(columns.map(function (column) {
          return make("th", { scope: "col" }, [column[0]]);
        })))]),
        make("tbody", {}, body)
      ]), marked < 0, (side === "s" ? "old store, " : "new store, ") + name);
    }
    /* A table that can be scrolled can be reached by the keyboard. */
    function scrolling(node, isStill, name) {
      return make("div", { "class": "table" + (isStill ? " still" : ""), tabindex: "0", role: "region", "aria-label": name }, [node]);
    }

    function side(name, hop, groups, counts, title, marks) {
      var columns = hop.columns[name];
      return make("div", { "class": name === "source" ? "old" : "new" }, [make("h2", {}, [title])].concat(
        Object.keys(columns).map(function (entityName) {
          var rows = groups[entityName] || [];
          return table(name === "source" ? "s" : "d", entityName, columns[entityName], rows, counts[entityName] || 0, marks);
        })));
    }
    function grouped(rows) {
      var groups = Object.create(null);
      Object.keys(rows).forEach(function (index) {
        var row = rows[index], name = entity(row[0]);
        (groups[name] = groups[name] || []).push(row);
      });
      Object.keys(groups).forEach(function (name) {
        groups[name].sort(function (a, b) { return numberOf(a[0]) - numberOf(b[0]); });
      });
      return groups;
    }

    function associations(hop, pairs, pairsLeft, wires) {
      var part = frames[at].part;
      var columns = hop.mappings.filter(function (mapping) { return mapping[2] === part; }).map(function (mapping) {
        var own = pairs.filter(function (pair) { return pair[0] === mapping[0] && pair[3] === part; }).sort(function (a, b) {
          return numberOf(a[1]) - numberOf(b[1]);
        });
        var lit = function (pair) { return wires.some(function (wire) { return wire.join() === pair.join(); }); };
        var first = own.findIndex(lit);
        var from = own.length > rowsShown ? Math.max(0, Math.min(first < 0 ? own.length : first - 5, own.length - rowsShown)) : 0;
        var body = own.slice(from, from + rowsShown).map(function (pair) {
          return make("tr", { "class": lit(pair) ? "used" : null, id: number + "a-" + pair.join("-") }, [
            make("td", {}, [pair[1]]), make("td", {}, ["→"]), make("td", {}, [pair[2]])
          ]);
        });
        var left = Math.max(0, own.length - rowsShown) + (pairsLeft[part + " " + mapping[0]] || 0);
        if (left) body.push(make("tr", {}, [make("td", { colspan: 3, "class": "nil" }, [left + " more"])]));
        if (!body.length) body.push(make("tr", {}, [make("td", { "class": "nil" }, ["empty"])]));
        return scrolling(make("table", {}, [make("caption", {}, [mapping[0] + (mapping[1] ? " ⚙" : "")]), make("tbody", {}, body)]), first < 0, "association table " + mapping[0]);
      });
      return make("div", { "class": "pairs" }, [make("h2", {}, ["Association tables" + (hop.parts > 1 ? " of part " + part : "")])].concat(columns));
    }

    function wire(wires) {
      var box = parts.sides.getBoundingClientRect(), space = "http://www.w3.org/2000/svg";
      var drawing = document.createElementNS(space, "svg");
      drawing.setAttribute("aria-hidden", "true");
      function end(node, isRight) {
        var place = node.getBoundingClientRect(), frame = node.closest(".table").getBoundingClientRect();
        place = { left: Math.max(place.left, frame.left), right: Math.min(place.right, frame.right), top: place.top, height: place.height };
        return [(isRight ? place.right : place.left) - box.left, place.top + place.height / 2 - box.top];
      }
      wires.forEach(function (found) {
        var nodes = ["s-" + found[1], "a-" + found.join("-"), "d-" + found[2]].map(function (id) { return document.getElementById(number + id); });
        [[0, 1], [1, 2]].forEach(function (ends) {
          if (!nodes[ends[0]] || !nodes[ends[1]]) return;
          var a = end(nodes[ends[0]], true), b = end(nodes[ends[1]], false), line = document.createElementNS(space, "path");
          line.setAttribute("d", "M" + a + " C" + (a[0] + 20) + "," + a[1] + " " + (b[0] - 20) + "," + b[1] + " " + b);
          drawing.appendChild(line);
          [a, b].forEach(function (point) {
            var dot = document.createElementNS(space, "circle");
            dot.setAttribute("cx", point[0]); dot.setAttribute("cy", point[1]); dot.setAttribute("r", 3);
            drawing.appendChild(dot);
          });
        });
      });
      parts.sides.appendChild(drawing);
    }

    function schemaView(schema, changes) {
      var names = changes.map(function (change) { return change[0]; });
      var changed = changes.map(function (change) {
        return make("div", {}, [make("h3", {}, [change[0]])]
          .concat(change[2] ? [make("pre", { "class": "before" }, [change[2]])] : [])
          .concat(change[1] ? [make("pre", { "class": "after" }, [change[1]])] : []));
      });
      var rest = Object.keys(schema).filter(function (name) { return names.indexOf(name) < 0; }).sort();
      return make("div", {}, [make("h2", {}, ["Schema"])].concat(changed, [make("details", {}, [
        make("summary", {}, [changes.length ? "the rest of the schema" : "the schema"]),
        make("pre", {}, [rest.map(function (name) { return schema[name]; }).join("\n") || "empty"])
      ])]));
    }

    function ribbon(frame) {
      var hop = data.hops[frame.hop], groups = [];
      frames.forEach(function (other, index) {
        if (other.hop !== frame.hop || !other.segment) return;
        var title = other.pass ? (hop.parts > 1 ? "Part " + other.part + ", pass " : "Pass ") + other.pass + ": " + passes[other.pass - 1] : "In place";
        var group = groups[groups.length - 1];
        if (!group || group.title !== title) groups.push(group = { title: title, segments: [] });
        var last = group.segments[group.segments.length - 1];
        if (!last || last.name !== other.segment) group.segments.push({ name: other.segment, index: index, end: index });
        else last.end = index;
      });
      replace(parts.ribbon, groups.map(function (group) {
        var isOn = group.segments.some(function (segment) { return at >= segment.index && at <= segment.end; });
        return make("div", { "class": isOn ? "on" : null }, [make("b", {}, [group.title]), make("span", {}, group.segments.map(function (segment) {
          var isCurrent = at >= segment.index && at <= segment.end;
          var button = make("button", {
            type: "button", title: segment.name, "aria-label": group.title + ", " + segment.name,
            "class": isCurrent ? "on" : null, "aria-current": isCurrent ? "step" : null
          }, [segment.name]);
          button.addEventListener("click", function () { go(segment.index); });
          return button;
        }))]);
      }));
    }

    function draw() {
      var frame = frames[at], hop = data.hops[frame.hop], now = state(at);
      var marks = { made: {}, used: {}, changed: {} };
      (frame.made || []).forEach(function (object) { marks.made[object] = true; });
      (frame.changed || []).forEach(function (change) { (marks.changed[change[0]] = marks.changed[change[0]] || []).push(change[1]); });
      var wires = frame.wires || [], used = { made: {}, used: {}, changed: {} };
      wires.forEach(function (found) { used.used[found[1]] = true; marks.used[found[2]] = true; });
      (frame.used || []).forEach(function (object) { used.used[object] = true; });
      if (frame.subject) marks.used[frame.subject] = true;
      var destination = side("destination", hop, grouped(now.rows), now.counts, (hop.isInPlace ? "The store, with " : "New store: ") + hop.to, marks);
      var source = side("source", hop, grouped(data.sources[frame.hop]), hop.counts, (hop.isInPlace ? "The store, with " : "Old store: ") + hop.from, used);
      var isCalm = !wires.length && ![marks.made, marks.used, marks.changed, used.used].some(function (kind) { return Object.keys(kind).length; });
      parts.sides.className = "sides" + (hop.isInPlace ? " place" : "") + (isCalm ? " calm" : "");
      replace(parts.sides, hop.isInPlace
        ? [schemaView(now.schema, frame.schema || [])].concat(frame.isReadable ? [destination] : [source])
        : [source, associations(hop, now.pairs, now.pairsLeft, wires), destination]);
      parts.sides.querySelectorAll("td.changed").forEach(function (cell) {
        cell.closest(".table").scrollLeft = cell.offsetLeft + cell.offsetWidth - cell.closest(".table").clientWidth;
      });
      if (!hop.isInPlace) wire(wires);
      var list = frame.why.map(function (line) { return make("li", {}, [line]); });
      replace(parts.said, [make("p", {}, [make("b", {}, [frame.mark ? "#" + frame.mark + " " : ""]), frame.did.join("; ") || (at ? frame.left || "Nothing happened in this step." : "The beginning.")])]
        .concat(list.length ? [make("ul", {}, list)] : [])
        .concat(frame.left && frame.did.length ? [make("p", {}, [frame.left])] : [])
        .concat([make("p", { "class": "next" }, [make("b", {}, ["Next: "]), frame.place + ". " + frame.next.join(" ")])]));
      parts.sql.parentNode.querySelector("summary").textContent = "SQL of this step (" + frame.sql.length + ")";
      replace(parts.sql, frame.sql.map(function (entry) {
        return make("span", { "class": entry[1] ? "own" : null }, [entry[0] + ": " + data.statements[entry[2]] + "\n"]);
      }));
      ribbon(frame);
      parts.slider.value = at;
      parts.slider.setAttribute("aria-valuetext", "step " + at + ", " + frame.place);
      parts.count.textContent = at + " / " + (frames.length - 1);
      parts.back.disabled = parts.first.disabled = at === 0;
      parts.step.disabled = at === frames.length - 1;
    }

    function go(index) {
      parts.question.hidden = true;
      at = Math.max(0, Math.min(frames.length - 1, index));
      draw();
      /* Browsers slow down a page that changes its address with every key that is held. */
      clearTimeout(pending);
      pending = setTimeout(function () { history.replaceState(null, "", "#" + (number > 1 ? number + "-" : "") + at); }, 200);
    }
    function forward() {
      var question = at + 1 < frames.length && frames[at + 1].question;
      if (isAsking && question && !answered[at + 1] && parts.question.hidden) ask(at + 1, question); else go(at + 1);
    }
    function ask(index, question) {
      var why = make("p", { role: "status" }, []);
      var buttons = question.choices.map(function (choice, chosen) {
        var button = make("button", { type: "button" }, [choice]);
        button.addEventListener("click", function () {
          answered[index] = true;
          go(index);
          parts.question.hidden = false;
          buttons.forEach(function (other, place) {
            other.disabled = true;
            if (place === question.right) other.className = "right";
            else if (place === chosen) other.className = "wrong";
          });
          why.textContent = (chosen === question.right ? "Right. " : "No. ") + question.why;
          parts.step.focus({ preventScroll: true });
          parts.question.scrollIntoView({ block: "nearest" });
        });
        return button;
      });
      replace(parts.question, [make("p", {}, [make("b", {}, ["What do you expect? "]), question.text])].concat(buttons, [why]));
      parts.question.hidden = false;
      buttons[0].focus({ preventScroll: true });
      parts.question.scrollIntoView({ block: "nearest" });
    }
    /* To the next or previous frame for which the name differs. */
    function skip(direction, name) {
      var index = at, start = name(frames[at]);
      do { index += direction; } while (index > 0 && index < frames.length - 1 && name(frames[index]) === start);
      go(index);
    }
    function segment(frame) { return [frame.hop, frame.part, frame.pass, frame.segment].join(); }
    function pass(frame) { return [frame.hop, frame.part, frame.pass].join(); }

    parts.slider.max = frames.length - 1;
    parts.first.addEventListener("click", function () { go(0); });
    parts.back.addEventListener("click", function () { go(at - 1); });
    parts.step.addEventListener("click", forward);
    parts.slider.addEventListener("input", function () { go(Number(parts.slider.value)); });
    this.keys = function (event) {
      var isSlider = event.target === parts.slider, box = event.target;
      if (box.classList.contains("table") && box.scrollWidth > box.clientWidth && /^Arrow/.test(event.key)) return;
      if (event.key === "ArrowRight" && !isSlider) { if (event.shiftKey) skip(1, segment); else forward(); }
      else if (event.key === "ArrowLeft" && !isSlider) { if (event.shiftKey) skip(-1, segment); else go(at - 1); }
      else if (event.key === "PageDown") skip(1, pass);
      else if (event.key === "PageUp") skip(-1, pass);
      else if (event.key === "Home") go(0);
      else if (event.key === "End") go(frames.length - 1);
      else if (event.key === "q") isAsking = !isAsking;
      else if (/^[1-9]$/.test(event.key) && !parts.question.hidden) {
        var button = parts.question.querySelectorAll("button")[Number(event.key) - 1];
        if (button) button.click();
      } else return;
      event.preventDefault();
    };
    this.go = go;
    this.redraw = draw;
    this.state = function () { return { frame: frames[at], now: state(at) }; };
    root.classList.remove("hidden");
    at = 0;
    draw();
  }

  document.documentElement.className = "scripted";
  var steppers = [], current = 0;
  document.querySelectorAll(".stepper").forEach(function (root, index) {
    steppers.push(new Stepper(root, index + 1));
    root.addEventListener("focusin", function () { current = index; });
  });
  if (!steppers.length) return;
  if (steppers.length === 1) document.documentElement.className += " single";
  window.strata = steppers;
  function follow() {
    var found = location.hash.match(/^#(?:(\d+)-)?(\d+)$/);
    if (!found) return;
    current = Math.min(steppers.length, Math.max(1, Number(found[1] || 1))) - 1;
    steppers[current].go(Number(found[2]));
  }
  follow();
  addEventListener("hashchange", follow);
  addEventListener("keydown", function (event) {
    /* In a notebook, keys outside the steppers scroll the page. */
    if (steppers.length > 1 && !event.target.closest(".stepper")) return;
    if (!event.altKey && !event.ctrlKey && !event.metaKey) steppers[current].keys(event);
  });
  addEventListener("resize", function () { steppers.forEach(function (stepper) { stepper.redraw(); }); });
})();
