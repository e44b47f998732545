// What the page can do beyond being read: keys, buttons, copying a patch.
(() => {
	"use strict";
	const stops = [...document.querySelectorAll(".stop")];
	const links = [...document.querySelectorAll(".bar [data-stop]")];
	const help = document.getElementById("help");
	const said = document.getElementById("said");

	// current is the last stop that begins in the upper part of the window or, if
	// that is still there, the one that was gone to: several short ones may be. At the
	// end of the page that is as far up as it goes.
	// Of a list of links it is the one that had the focus last.
	let chosen = -1;
	const listed = document.querySelector("table .stop") !== null;
	function current() {
		if (listed) return chosen;
		const top = stop => stop.getBoundingClientRect().top, upper = innerHeight * 0.4;
		const atEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 2;
		if (chosen >= 0 && top(stops[chosen]) >= 0 && top(stops[chosen]) < (atEnd ? innerHeight : upper)) return chosen;
		return stops.findLastIndex(stop => top(stop) < upper);
	}

	if (listed) document.addEventListener("focusin", e => {
		if (stops.includes(e.target)) chosen = stops.indexOf(e.target);
	});

	function go(by) {
		chosen = Math.min(Math.max(current() + by, 0), stops.length - 1);
		const target = stops[chosen];
		if (!target) return;
		target.scrollIntoView();
		target.focus({ preventScroll: true });
		history.replaceState(null, "", "#" + target.id);
		tell((target.querySelector("h2, h3") ?? target).textContent);
	}

	let fading;
	function tell(words) {
		said.textContent = words;
		clearTimeout(fading);
		fading = setTimeout(() => { said.textContent = ""; }, 2500);
	}

	async function copy() {
		const fix = stops[Math.max(current(), 0)];
		if (!fix || fix.dataset.clip === undefined) return;
		const bytes = Uint8Array.from(atob(fix.dataset.clip), c => c.charCodeAt(0));
		const text = new TextDecoder().decode(bytes);
		const name = fix.querySelector(".eyebrow").textContent;
		try {
			await navigator.clipboard.writeText(text);
		} catch {
			if (!copyByHand(text)) {
				tell("The browser does not let the page copy: take the patch as text, below the change.");
				return;
			}
		}
		tell("The patch of " + name.toLowerCase() + " is copied: git apply takes it.");
	}

	// copyByHand is the way of older browsers, and of pages that may not use the
	// clipboard.
	function copyByHand(text) {
		const area = document.createElement("textarea");
		area.value = text;
		area.className = "unseen";
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done;
	}

	const deeds = {
		next: () => go(1),
		previous: () => go(-1),
		copy,
		help: () => help.open ? help.close() : help.showModal(),
	};
	const keys = { n: "next", j: "next", p: "previous", k: "previous", c: "copy", "?": "help" };

	document.addEventListener("keydown", e => {
		if (e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, textarea, select")) return;
		const deed = keys[e.key];
		if (!deed || help.open && deed !== "help") return;
		e.preventDefault();
		deeds[deed]();
	});
	for (const button of document.querySelectorAll("[data-do]")) {
		button.addEventListener("click", () => deeds[button.dataset.do]());
	}
	document.querySelector(".keys").hidden = false;

	// The links of the bar tell where one is.
	function here() {
		const at = stops[current()];
		for (const link of links) {
			if (at && link.dataset.stop === at.id) link.setAttribute("aria-current", "true");
			else link.removeAttribute("aria-current");
		}
	}
	let waiting = false;
	addEventListener("scroll", () => {
		if (waiting) return;
		waiting = true;
		requestAnimationFrame(() => { waiting = false; here(); });
	}, { passive: true });
	here();

	// On paper everything is open.
	let closed = [];
	addEventListener("beforeprint", () => {
		closed = [...document.querySelectorAll("details:not([open])")];
		for (const d of closed) d.open = true;
	});
	addEventListener("afterprint", () => { for (const d of closed) d.open = false; });
})();
